import Synchronization

/// An interned key: two keys of the same name are identical, so that they compare and hash as one word.
///
/// Tables and observers know keys in this form. Keys that only occur as data (entries of dictionaries and records) are
/// not interned unless they are observed, since an interned key exists for the life of the process.
@usableFromInline
package struct InternedKey: @unchecked Sendable, Hashable, BitwiseCopyable {  // guard: immutable and immortal
  @usableFromInline
  final class Content: Sendable {
    let name: String
    @usableFromInline let number: Int
    @usableFromInline let bit: UInt64

    init(name: String, number: Int) {
      self.name = name
      self.number = number
      bit = 1 << UInt64(number % 64)
    }
  }

  private static let known = Locked<[String: Content]>([:])
  /// The contents of short names, which are found by their bits without a lock.
  private static let short = SnapshotMap<Content>()

  /// Not retained, since contents exist for the life of the process, and keys are copied at each change.
  @usableFromInline let reference: _KVReference<Content>

  /// A placeholder for no key.
  package static let none = InternedKey("")

  /// The key of which a record notifies before a key without a value gets one; the new value is the name of that.
  package static let addedKey = InternedKey("@addedKey")

  private init(reference: _KVReference<Content>) { self.reference = reference }

  private init(content: Content) { reference = _KVReference(content) }

  /// Returns the key of a name, which is interned from then on.
  ///
  /// - Parameter name: Any text. It is kept for the life of the process, so take names of properties rather than data.
  package init(_ name: String) {
    let content = Self.known.withLock { keys in
      if let key = keys[name] { return key }
      let key = Content(name: name, number: keys.count)
      keys[name] = key
      if MemoryLayout<Int>.size == 8, name.utf8.count <= 15 {
        Self.short.insert(key, for: StringBits(name), keeping: name)
      }
      return key
    }
    reference = _KVReference(content)
  }

  /// Returns the key of a name if it is interned already, as each observed key is.
  ///
  /// - Parameter name: Any text.
  /// - Returns: The key, or nil if none was made of the name; it is not made then.
  package static func existing(_ name: String) -> InternedKey? {
    if let content = short.unmanagedValue(for: StringBits(name)) { return InternedKey(reference: content) }
    return known.withLock { $0[name] }.map { InternedKey(content: $0) }
  }

  /// The name of the key.
  package var name: String { reference.borrow { $0.name } }

  /// The bit that stands for the key in the mask of an object's observed keys; shared by one key in 64.
  @inlinable @inline(__always)
  package var bit: UInt64 { reference.borrow { $0.bit } }

  /// A number of its own, counted from zero.
  @inlinable @inline(__always)
  package var number: Int { reference.borrow { $0.number } }

  /// Whether both are the key of the same name.
  ///
  /// - Parameters:
  ///   - left: A key.
  ///   - right: Another key.
  @inlinable @inline(__always)
  package static func == (left: InternedKey, right: InternedKey) -> Bool {
    left.reference.identity == right.reference.identity
  }

  /// Hashes the identity.
  ///
  /// - Parameter hasher: The hasher.
  @usableFromInline
  package func hash(into hasher: inout Hasher) { hasher.combine(reference.identity) }
}

extension InternedKey: CustomStringConvertible {
  /// The name of the key.
  @usableFromInline
  package var description: String { name }
}
