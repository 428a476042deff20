/// The rest of a path behind a key, where it leads through structs that tables describe: no object is on it, so nothing of
/// it can be observed but the key.
///
/// What a change of the key makes of the value of the path is read from the structs that its notice carries.
package struct StructTail: @unchecked Sendable {  // guard: accessors are immutable
  /// The type of the key's values.
  private let type: Any.Type
  /// The accessors of the components behind the key, which live as long as the process.
  private let accessors: [Accessor]

  private static let longest = 16

  /// Finds the rest of a path behind a key; nil if an object, an optional or something that no table lists is on it.
  package init?(_ path: KVKeyPath, behind index: Int, _ key: Accessor, of object: AnyObject) {
    let rest = index + 1..<path.count
    guard !rest.isEmpty, rest.count <= Self.longest, key.canHoldStruct else { return nil }
    var accessors = Self.accessors(path, rest, key)
    if accessors == nil {
      // Nothing is known yet of a type whose values nobody has read.
      _ = try? Reader(path).value(of: object, from: index)
      accessors = Self.accessors(path, rest, key)
    }
    guard let accessors else { return nil }
    self.accessors = accessors
    type = key.value.type
  }

  private static func accessors(_ path: KVKeyPath, _ rest: Range<Int>, _ key: Accessor) -> [Accessor]? {
    var accessors: [Accessor] = []
    var reader = key
    for index in rest {
      let found = path.storage.hops[index].accessor(ofStructsBy: .passUnretained(reader))?.takeUnretainedValue()
      guard let found, index == path.count - 1 || found.canHoldStruct else { return nil }
      accessors.append(found)
      reader = found
    }
    return accessors
  }

  /// Calls a function with what a notice of the key means for the path; false if the notice does not carry both values.
  package func translate(_ notice: borrowing KVChangeNotice, _ body: (borrowing KVChangeNotice) -> Void) -> Bool {
    guard
      notice.kind == .setting, notice.valueType == type, let old = notice.oldAddress, let new = notice.newAddress,
      let value = accessors.last?.value
    else { return false }
    let (object, key) = (notice.object, notice.key)
    read(0, at: old) { old in
      read(0, at: new) { new in
        body(
          KVChangeNotice(
            object: object, key: key, valueType: value.type, oldAddress: old, newAddress: new, boxer: value.boxer))
      }
    }
    return true
  }

  /// Reads the value of a struct at an address, and calls a function with the place where it is meanwhile.
  private func read(_ index: Int, at address: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) {
    accessors[index].withValue(at: address) { value in
      if index == accessors.count - 1 { body(value) } else { read(index + 1, at: value, body) }
    }
  }
}

extension Accessor {
  /// Whether the values may be structs: not references to objects, and not optional.
  fileprivate var canHoldStruct: Bool { !flags.contains(.isObjectReference) && !value.isOptional }
}
