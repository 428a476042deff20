/// The rest of a path behind a key that leads only through structs with tables.
///
/// There is no object on it, so that only the key can be observed.
///
/// The old and the new value of the path are read from the structs in the notice of the key.
package struct StructTail: @unchecked Sendable {  // guard: accessors are immutable
  /// The type of the key's values.
  private let type: Any.Type
  /// The accessors of the components behind the key, which live as long as the process.
  private let accessors: [Accessor]

  private static let longest = 16

  /// Creates the rest of a path behind a key; nil if it contains an object, an optional or a component that no table
  /// lists.
  package init?(_ path: KVKeyPath, after index: Int, _ key: Accessor, of object: AnyObject) {
    let remainder = index + 1..<path.count
    guard !remainder.isEmpty, remainder.count <= Self.longest, key.canContainStruct else { return nil }
    var accessors = Self.accessors(path, remainder, key)
    if accessors == nil {
      // No `TypeInfo` exists for a type whose values have not been read yet.
      _ = try? Reader(path).value(of: object, from: index)
      accessors = Self.accessors(path, remainder, key)
    }
    guard let accessors else { return nil }
    self.accessors = accessors
    type = key.value.type
  }

  private static func accessors(_ path: KVKeyPath, _ remainder: Range<Int>, _ key: Accessor) -> [Accessor]? {
    var accessors: [Accessor] = []
    var reader = key
    for index in remainder {
      let found = path.storage.hops[index].accessor(ofStructsBy: _KVReference(reader))?.object
      guard let found, index == path.count - 1 || found.canContainStruct else { return nil }
      accessors.append(found)
      reader = found
    }
    return accessors
  }

  /// Translates a notice of the key into one of the path, and calls a function with it; false if the notice does not
  /// carry both values.
  package func translate(_ notice: borrowing _KVChangeNotice, _ body: (borrowing _KVChangeNotice) -> Void) -> Bool {
    guard
      notice.kind == .setting, notice.valueType == type, let old = notice.oldAddress, let new = notice.newAddress,
      let value = accessors.last?.value
    else { return false }
    let (object, key) = (notice.object, notice.key)
    read(0, at: old) { old in
      read(0, at: new) { new in
        body(
          _KVChangeNotice(
            object: object, key: key, valueType: value.type, oldAddress: old, newAddress: new, boxer: value.boxer))
      }
    }
    return true
  }

  /// Reads the value of a struct at an address, and calls a function with the address of the value.
  private func read(_ index: Int, at address: Address, _ body: (Address) -> Void) {
    accessors[index].withValue(at: address) { value in
      if index == accessors.count - 1 { body(value) } else { read(index + 1, at: value, body) }
    }
  }
}

extension Accessor {
  /// Whether the values can be structs: neither references to objects nor optionals.
  fileprivate var canContainStruct: Bool { !flags.contains(.isObjectReference) && !value.isOptional }
}
