/// A function between properties of static types, which maps values without boxing them.
@usableFromInline
package final class TypedMap: @unchecked Sendable {  // guard: immutable; the function runs where the model is used
  @usableFromInline
  typealias Transfer = (Accessor, AnyObject, Accessor, AnyObject, Accessor.TransferOptions, () -> Bool) throws -> Bool

  private let input: ObjectIdentifier
  private let outputs: [ObjectIdentifier]
  let transfer: Transfer

  /// Creates the map of a function; nil if the results cannot be compared.
  @inlinable
  package static func of<Input, Output>(_ function: @escaping (Input) throws -> Output) -> TypedMap? {
    guard let equality = TypedEquality(of: Output.self) else { return nil }
    let outputs = [ObjectIdentifier(Output.self), ObjectIdentifier(Output?.self)]
    return TypedMap(ObjectIdentifier(Input.self), outputs) { reader, source, writer, target, options, isCancelled in
      let value = try function(reader.readTyped(source, as: Input.self))
      if isCancelled() { return true }
      if writer.valueID == ObjectIdentifier(Output.self) {
        return withMemory(of: Output.self) { memory in
          memory.initialize(to: value)
          return writer.store(from: memory, in: target, options) { equality($0, $1) }
        }
      }
      return withMemory(of: Output?.self) { memory in
        memory.initialize(to: value)
        return writer.store(from: memory, in: target, options) { equality(some: $0, $1) }
      }
    }
  }

  @usableFromInline
  init(_ input: ObjectIdentifier, _ outputs: [ObjectIdentifier], _ transfer: @escaping Transfer) {
    self.input = input
    self.outputs = outputs
    self.transfer = transfer
  }

  func fits(_ reader: Accessor, _ writer: Accessor) -> Bool {
    reader.valueID == input && outputs.contains(writer.valueID)
  }
}
