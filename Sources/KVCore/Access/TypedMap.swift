/// A function between properties of static types, which maps values without boxing them.
@usableFromInline
package final class TypedMap: @unchecked Sendable {  // guard: immutable; the function runs where the model is used
  let input: ObjectIdentifier
  let output: ObjectIdentifier
  let optionalOutput: ObjectIdentifier
  let transfer: (Accessor, AnyObject, Accessor, AnyObject, TransferOptions, () -> Bool) throws -> Bool

  /// Creates the map of a function; nil if the results cannot be compared.
  @inlinable
  package static func of<Input, Output>(_ function: @escaping (Input) throws -> Output) -> TypedMap? {
    guard let equality = equalityFunction(of: Output.self) else { return nil }
    return TypedMap(
      input: ObjectIdentifier(Input.self), output: ObjectIdentifier(Output.self),
      optionalOutput: ObjectIdentifier(Output?.self)
    ) { reader, source, writer, target, options, isCancelled in
      let value = try function(reader.readTyped(source, as: Input.self))
      if isCancelled() { return true }
      let isOptional = writer.valueID != ObjectIdentifier(Output.self)
      if options.contains(.skippingEqual), isStored(value, writer, target, isOptional, equality) { return true }
      if isOptional {
        writer.writeNotifying(Optional(value), to: target)
      } else {
        writer.writeNotifying(value, to: target)
      }
      return !options.contains(.checking) || isStored(value, writer, target, isOptional, equality)
    }
  }

  @inlinable @inline(__always)
  static func isStored<Output>(
    _ value: Output, _ accessor: Accessor, _ object: AnyObject, _ isOptional: Bool, _ equality: EqualityFunction
  ) -> Bool {
    guard isOptional else { return areEqual(value, accessor.readTyped(object, as: Output.self), by: equality) }
    guard let stored = accessor.readTyped(object, as: Output?.self) else { return false }
    return areEqual(value, stored, by: equality)
  }

  @usableFromInline
  init(
    input: ObjectIdentifier, output: ObjectIdentifier, optionalOutput: ObjectIdentifier,
    transfer: @escaping (Accessor, AnyObject, Accessor, AnyObject, TransferOptions, () -> Bool) throws -> Bool
  ) {
    self.input = input
    self.output = output
    self.optionalOutput = optionalOutput
    self.transfer = transfer
  }

  func fits(_ reader: Accessor, _ writer: Accessor) -> Bool {
    reader.valueID == input && (writer.valueID == output || writer.valueID == optionalOutput)
  }
}
