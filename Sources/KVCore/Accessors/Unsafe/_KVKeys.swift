/// The keys of a model's notifying properties, by number.
///
/// It is not API: the code that ``KVModel(_:)`` generates uses it. The keys are in memory that is never released, one
/// piece for each class, so that a setter that passes them counts no reference.
public struct _KVKeys: @unchecked Sendable {  // guard: the memory does not change after `init`
  @usableFromInline let keys: UnsafeBufferPointer<InternedKey>

  /// Creates the keys of a class.
  public init(_ names: [String]) {
    let keys = UnsafeMutableBufferPointer<InternedKey>.allocate(capacity: names.count)
    for (index, name) in names.enumerated() { keys.initializeElement(at: index, to: InternedKey(name)) }
    self.keys = UnsafeBufferPointer(keys)
  }

  /// The names of the keys.
  var names: [String] { keys.map(\.name) }

  private static let generic = Locked<[ObjectIdentifier: _KVKeys]>([:])

  /// Returns the keys of a generic class, which cannot store them.
  public static func of(_ type: AnyClass, _ names: @autoclosure () -> [String]) -> _KVKeys {
    generic.withLock { known in
      if let keys = known[ObjectIdentifier(type)] { return keys }
      let keys = _KVKeys(names())
      known[ObjectIdentifier(type)] = keys
      return keys
    }
  }
}
