import KVCore

/// The endpoint of a binding at a key of a control, or of the owner of a path's last key, which may be a control.
///
/// A control is read and set by its own functions, and its events notify the binding (CTL.1). Any other owner is used
/// as by any endpoint.
// guard: immutable but for `core`, set before it observes
final class ControlEndpoint: BindingEndpoint, @unchecked Sendable {
  private let key: String
  private let events = ControlEvents()
  private weak var core: BindingCore?

  init(_ object: AnyObject, _ path: KVKeyPath, key: String) {
    self.key = key
    super.init(object, path)
  }

  /// The control that currently owns the last key; `nil` if another object does.
  private var control: (any KVControl)? { (path.count == 1 ? object : parentObject) as? any KVControl }

  // MARK: Observing

  override func observe(for core: BindingCore, _ side: BindingSide) throws(KVError) {
    // Another owner may be reported as soon as the path is observed.
    self.core = core
    let isControl = control != nil
    // An undefined key throws now.
    if isControl { _ = try read() }
    if path.count > 1 {
      do throws(KVError) { try super.observe(for: core, side) } catch {
        try pass(error, isControl: isControl)
        try observeParent(for: core, side)
        _ = recordParent()
      }
    }
    try follow(core)
  }

  private func follow(_ core: BindingCore) throws(KVError) {
    try events.follow(path, for: core, .target) { control }
  }

  /// Throws an error that prevents a path from being observed, unless the path leads to a control.
  ///
  /// The path to a control may be one that never changes, and the value that a control shows need not be a key of it.
  private func pass(_ error: KVError, isControl: Bool) throws(KVError) {
    guard isControl, error.code == .notObservable || error.code == .undefinedKey else { throw error }
  }

  override func didReplaceParent() {
    guard let core else { return }
    do throws(KVError) { try follow(core) } catch { core.fail(error) }
  }

  override func cancel() {
    events.cancel()
    super.cancel()
  }

  override func endpoint(at object: AnyObject, _ path: KVKeyPath) -> BindingEndpoint { .target(object, path) }

  // MARK: Reading and setting

  override var usesAccessors: Bool { control == nil }
  override func written() -> (object: AnyObject, key: InternedKey)? {
    super.written().flatMap { $0.object is any KVControl ? nil : $0 }
  }

  package override func read() throws(KVError) -> Reading {
    guard let control else { return try super.read() }
    if let object { try KVC.checkPolicy(path, of: object) }
    do throws(KVError) {
      return try control.controlValue(forKey: key).flatMap(unwrappingOptionals).map { .value($0) } ?? .null
    } catch {
      throw error.located(path: path.description, root: typeName)
    }
  }

  override func validated(_ value: Any?) throws(KVError) -> Any? {
    do throws(KVError) { return try super.validated(value) } catch {
      // A control may show a value for which it has no key.
      guard error.code == .undefinedKey, control != nil else { throw error }
      return value
    }
  }

  override func set(_ value: Any?) throws(KVError) -> Bool {
    guard let control else { return try super.set(value) }
    if let object { try KVC.checkPolicy(path, of: object, writing: true) }
    do throws(KVError) { try control.setControlValue(value, forKey: key) } catch {
      throw error.located(path: path.description, root: typeName)
    }
    return true
  }

  // MARK: Checking

  package override func checkObservable() throws(KVError) {
    let control = control
    if path.count > 1 {
      do throws(KVError) { try super.checkObservable() } catch { try pass(error, isControl: control != nil) }
    }
    if let control { try ControlEvents.check(control, path) }
  }
}

extension BindingEndpoint {
  /// Returns the endpoint of a target: events of a control notify the binding, any other object is observed.
  package static func target(_ object: AnyObject, _ path: KVKeyPath) -> BindingEndpoint {
    guard case .key(let key) = path.last, path.count > 1 || object is any KVControl else {
      return BindingEndpoint(object, path)
    }
    return ControlEndpoint(object, path, key: key)
  }
}
