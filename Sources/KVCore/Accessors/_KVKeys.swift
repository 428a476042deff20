/// The keys of a model's notifying properties, by number.
///
/// It is not API: the code that ``KVModel(_:)`` generates uses it.
public struct _KVKeys: Sendable {
  /// A key of a model.
  public struct Key {
    @usableFromInline let key: KVKey

    @inlinable @inline(__always)
    init(_ key: KVKey) { self.key = key }
  }

  @usableFromInline let keys: [KVKey]

  /// Creates the keys of a class.
  public init(_ names: [String]) { keys = names.map { KVKey($0) } }

  private static let generic = Locked<[ObjectIdentifier: _KVKeys]>([:])

  /// Returns the keys of a generic class, which cannot store them.
  public static func of(_ type: AnyClass, _ names: @autoclosure () -> [String]) -> _KVKeys {
    if let keys = generic.withLock({ $0[ObjectIdentifier(type)] }) { return keys }
    let keys = _KVKeys(names())
    generic.withLock { $0[ObjectIdentifier(type)] = keys }
    return keys
  }

  /// The key of a number.
  @inlinable @inline(__always)
  public subscript(number: Int) -> Key { Key(keys[number]) }
}
