/// A value that was read, and is not of the requested type.
@usableFromInline
final class MismatchedRead {
  /// The read key or path.
  enum Subject {
    case key(String)
    case path(KVKeyPath.Storage)
  }

  private let value: Any?
  private let subject: Subject
  private let root: Any.Type
  /// The root, if the value is nil: an error says whether the key is missing.
  private let rootOfNil: Any?
  /// The line of the table that lists the key.
  private let declaration: KeyDeclaration?

  init<Root>(_ value: Any?, _ subject: Subject, _ root: Root, _ declaration: KeyDeclaration?) {
    self.value = value
    self.subject = subject
    self.root = Swift.type(of: root as Any)
    rootOfNil = value == nil ? root : nil
    self.declaration = declaration
  }

  @usableFromInline
  convenience init<Root>(_ value: Any?, _ key: String, _ root: Root) {
    self.init(value, .key(key), root, TypeInfo.accessor(ofValueType: Root.self, key)?.object.declaration)
  }

  /// Returns the value as the type, by the rules of CO.
  @usableFromInline @inline(never)
  func converted<Value>(to type: Value.Type) throws(KVError) -> Value {
    let coercion = declaration?.readingCoercion ?? Coercion()
    do throws(CoercionFailure) { return try coercion.convert(value, to: type) } catch {
      let (key, path) =
        switch subject {
        case .key(let key): (key, key)
        case .path(let path): (KVKeyPath(storage: path).last.description, KVKeyPath(storage: path).description)
        }
      if error.code == .nilValue, let missing = missing() { throw missing.located(path: path, root: typeName(root)) }
      var text = Coercion()
      text.yieldsText = true
      let isText = declaration?.isLenient == false && (try? text.convert(value, to: type)) != nil
      throw Failure.reading(error, key: key, isText: isText).located(path: path, root: typeName(root))
    }
  }

  /// Returns the error for an entry that a dictionary or record does not have.
  private func missing() -> KVError? {
    guard let root = rootOfNil else { return nil }
    guard case .path(let path) = subject else {
      guard case .key(let key) = subject else { return nil }
      return Failure.missing(key, of: root)
    }
    // The error lists all entries, also those that a policy denies.
    if path.hops.pointee.policy?.rules != nil { return nil }
    let owner = (try? Reader(path, path.count).owner(of: root)) ?? nil
    switch KVKeyPath(storage: path).last {
    case .key(let key), .entry(let key): return owner.flatMap { Failure.missing(key, of: $0) }
    case .index, .operator: return nil
    }
  }
}
