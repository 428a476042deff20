import KVCore

/// One endpoint of a binding: an object and a key path, by which it is read, set and observed.
///
/// The object is a weak reference (BND.8). Endpoints that are notified by other means than an observation are
/// subclasses.
package class BindingEndpoint: @unchecked Sendable {  // guard: immutable, or locked
  /// The result of reading a path.
  package enum Reading {
    case value(Any)
    case null
    /// A value in the middle of the path is nil.
    case unresolved
  }

  package final let path: KVKeyPath
  final let typeName: String
  private let reference: WeakReference<AnyObject>
  package final var object: AnyObject? { reference.object }
  private let subscription = Locked(Subscription())
  /// The identity of the object that had the last key when it was last recorded.
  private let parent = Locked<Parent?>(nil)

  /// The registration of the endpoint.
  private struct Subscription {
    var registration: Registration?
    var isCancelled = false
  }

  /// Creates an endpoint.
  ///
  /// - Parameter typeName: The name of the object in listings and errors; nil for that of its type.
  init(_ object: AnyObject, _ path: KVKeyPath, typeName: String? = nil) {
    reference = WeakReference(object)
    self.path = path
    self.typeName = typeName ?? "\(type(of: object))"
  }

  // MARK: Observing

  /// Begins to notify a binding of changes.
  ///
  /// - Throws: ``KVError`` if the path does not exist, or cannot be observed.
  func observe(for core: BindingCore, _ side: BindingSide) throws(KVError) {
    try observe(path, for: core, side)
    _ = recordParent()
  }

  /// Begins to notify a binding when another object has the last key; does nothing if the root has it.
  func observeParent(for core: BindingCore, _ side: BindingSide) throws(KVError) {
    guard object is any KVObservable else { return }
    defer { _ = parentDidChange() }
    var parent = path.parent
    while let path = parent {
      do throws(KVError) { return try observe(path, for: core, side, countsChanges: path.count == 1) } catch {
        // Of a path that never notifies at its end, the beginning may.
        if error.code != .notObservable { throw error }
      }
      parent = path.parent
    }
  }

  private func observe(
    _ path: KVKeyPath, for core: BindingCore, _ side: BindingSide, countsChanges: Bool = false
  ) throws(KVError) {
    guard let object else { return }
    guard let object = object as? any KVObservable else { throw notObservableError }
    try KVC.checkPolicy(path, of: object)
    let registration = core.registration(path, side, countsChanges: countsChanges)
    try registration.begin(at: object)
    let isCancelled = subscription.withLock { subscription in
      if !subscription.isCancelled { subscription.registration = registration }
      return subscription.isCancelled
    }
    if isCancelled { registration.cancel() }
  }

  /// The error for an object that cannot be observed.
  final var notObservableError: KVError {
    KVError(
      .notObservable,
      """
      \(typeName) does not notify of its changes, so no binding can follow its "\(path)". Mark its class with \
      @KVModel(.root), or let it inherit from KVObject or conform to KVObservable; an object that sends events conforms to \
      KVControl.
      """, keyPath: path.description, rootType: typeName)
  }

  /// Returns whether a registration is that of the endpoint.
  final func isObserved(by registration: Registration) -> Bool {
    subscription.withLock { $0.registration === registration }
  }

  /// Whether a key of the path that is observed is changing.
  final var isChanging: Bool { subscription.withLock { $0.registration }?.isChanging == true }

  /// Cancels the registration.
  func cancel() {
    // The registration retains its binding. If the endpoint kept the registration, neither would be released.
    let ended = subscription.withLock { subscription in
      let ended = subscription.registration
      subscription = Subscription(isCancelled: true)
      return ended
    }
    ended?.cancel()
  }

  /// Returns whether another object has the last key than at the last call; always false if the root has it.
  final func parentDidChange() -> Bool {
    guard recordParent() else { return false }
    didReplaceParent()
    return true
  }

  /// Records the object that has the last key; returns whether it is another one than before.
  final func recordParent() -> Bool {
    guard path.count > 1, object != nil else { return false }
    let now = nearest.map { nearest in
      Parent(
        reference: WeakReference(nearest.object), depth: nearest.prefix?.count ?? 0,
        isNearest: nearest.prefix != path.parent && parentValue == nil)
    }
    let isOther = parent.withLock { parent in
      defer { parent = now }
      return parent != now
    }
    if isOther { WaveOrder.invalidate() }
    return isOther
  }

  /// The object and the key that setting the value sets: that of the whole value, if the rest of the path leads into one;
  /// nil if a value before the last key is nil, or if it is set otherwise.
  ///
  /// It reads no value of the model, since the program may hold a lock while an object is deallocated.
  func written() -> (object: AnyObject, key: InternedKey)? {
    let parent = path.count == 1 ? nil : parent.withLock { $0 }
    guard path.count == 1 || parent?.isNearest == false, let owner = parent.map(\.reference.object) ?? object,
      let name = path.components[parent?.depth ?? 0].observedName
    else { return nil }
    return (owner, (try? TypeInfo.of(owner).accessor(name))?.key ?? InternedKey(name))
  }

  /// Lets the next call of ``parentDidChange()`` find another object.
  final func forgetParent() { parent.withLock { $0 = nil } }

  /// The object that has the last key, or the nearest one before it where a value of the path is nil.
  private struct Parent: Equatable {
    let reference: WeakReference<AnyObject>
    /// The number of components that lead to the object.
    let depth: Int
    let isNearest: Bool

    static func == (left: Parent, right: Parent) -> Bool {
      left.reference.id == right.reference.id && left.isNearest == right.isNearest
    }
  }

  /// The value before the last key.
  private var parentValue: Any? {
    guard let object, let parent = path.parent else { return nil }
    return (try? Reader(parent).value(of: object, from: 0)) ?? nil
  }

  /// Called when another object has the last key than before.
  func didReplaceParent() {}

  /// The last object on the path before the last key; further values belong to that object.
  final var nearestObject: AnyObject? { nearest?.object }

  /// The last object on the path before the last key, and the path to it; nil for the path to the root.
  private var nearest: (object: AnyObject, prefix: KVKeyPath?)? {
    guard let object else { return nil }
    var parent = path.parent
    while let ancestor = parent {
      if let value = (try? Reader(ancestor).value(of: object, from: 0)) ?? nil, type(of: value) is AnyClass {
        return (value as AnyObject, ancestor)
      }
      parent = ancestor.parent
    }
    return (object, nil)
  }

  /// The endpoint whose path is read, with the policy of that path: the endpoint itself, or that at a data object.
  var current: BindingEndpoint? { self }

  /// The endpoint at the object that has the last key now, by the rest of the path; nil if a value before it is nil.
  var resolved: BindingEndpoint? {
    guard let object else { return nil }
    if let (resolver, remainder) = path.resolver(from: object) {
      return resolver.pathOwners.isEmpty ? nil : OwnersEndpoint(resolver, remainder) ?? self
    }
    if path.count == 1 { return self }
    guard let nearest, parentValue != nil else { return nil }
    guard let prefix = nearest.prefix, let remainder = path.dropping(prefix: prefix) else { return self }
    return endpoint(at: nearest.object, remainder)
  }

  /// Creates an endpoint at any object.
  package static func at(_ object: AnyObject, _ path: KVKeyPath) -> BindingEndpoint { BindingEndpoint(object, path) }

  /// Returns whether another endpoint is at the same object and path.
  func isSame(as other: BindingEndpoint) -> Bool {
    self === other || (object != nil && object === other.object && path == other.path)
  }

  /// Creates an endpoint of the same kind at another object.
  func endpoint(at object: AnyObject, _ path: KVKeyPath) -> BindingEndpoint { BindingEndpoint(object, path) }

  /// The object that has the last key of a path of several components; nil if there is none, or the owner is a value.
  final var parentObject: AnyObject? {
    parentValue.flatMap { type(of: $0) is AnyClass ? $0 as AnyObject : nil }
  }

  // MARK: Reading and setting

  /// Whether the endpoint is read and set by key only, so that accessors can be used directly.
  var usesAccessors: Bool { true }

  /// Reads the value.
  package func read() throws(KVError) -> Reading {
    guard let object else { return .unresolved }
    do throws(KVError) {
      if let value = try Reader(path).value(of: object, from: 0) { return .value(value) }
      let operators = path.components.firstIndex(where: \.isOperator)
      guard let left = path.prefix(operators ?? path.count - 1) else { return .null }
      return try Reader(left).value(of: object, from: 0) == nil ? .unresolved : .null
    } catch {
      if error.code == .indexOutOfRange { return .unresolved }
      throw error.located(path: path.description, root: typeName)
    }
  }

  /// Reads the value as far as single elements of it need; nil if there is none.
  final func column() throws(KVError) -> Column? {
    if usesAccessors, let object, let column = Column(path, of: object) { return column }
    return if case .value(let value) = try read() { Column(value) } else { nil }
  }

  /// Returns a value converted to the type of the property.
  ///
  /// The sender is the endpoint whose value it is, if no function has transformed it.
  func fitted(_ value: Any?, from sender: BindingEndpoint? = nil) throws(KVError) -> Any? {
    guard let object else { return value }
    let sender = sender.flatMap { sender in sender.object.map { (sender.path, $0) } }
    return try KVC.coerced(value, forKeyPath: path, of: object, readBy: sender)
  }

  /// Returns a value, or the replacement by the validator.
  func validated(_ value: Any?) throws(KVError) -> Any? {
    guard let object, case .replaced(let other) = try KVC.validate(value, forKeyPath: path, of: object) else {
      return value
    }
    return try fitted(other)
  }

  /// Sets the value.
  ///
  /// - Returns: Whether the path was resolved.
  func set(_ value: Any?) throws(KVError) -> Bool {
    guard let object else { return false }
    try KVC.checkPolicy(path, of: object, writing: true)
    do throws(KVError) {
      return try ObjectAccess.set(boxed: value, path, of: object, throwsIfUnresolved: false)
    } catch {
      if error.code == .indexOutOfRange { return false }
      throw error
    }
  }

  // MARK: Checking

  /// Checks that the endpoint can be observed, and leaves no observation behind.
  package func checkObservable() throws(KVError) {
    guard let object else { return }
    guard let object = object as? any KVObservable else { throw notObservableError }
    try object.observe(path, options: []) { _ in }.cancel()
  }

  /// Checks that the endpoint can be set, as far as tables show.
  ///
  /// A last key that cannot be read is accepted, since a hook can set it. The path before it has to exist.
  package final func checkSetting() throws(KVError) {
    guard let object else { return }
    do throws(KVError) {
      if let parent = path.parent { _ = try KVC.value(of: object, forKeyPath: parent) }
    } catch {
      if error.code != .indexOutOfRange { throw error }
    }
    guard usesAccessors else { return }
    do throws(KVError) { try KVC.checkSettable(path, of: object) } catch {
      if error.code != .undefinedKey { throw error }
    }
  }

  // MARK: Description

  final var endpoint: KVBindingEndpoint { KVBindingEndpoint(object: object, keyPath: path, typeName: typeName) }
  final var description: String { "\(typeName).\(path)" }
}

extension BindingEndpoint {
  /// The accessor of the last key, if tables lead to it.
  var leaf: Accessor? {
    guard usesAccessors, let object else { return nil }
    return path.leaf(of: object)?.accessor.object
  }
}
