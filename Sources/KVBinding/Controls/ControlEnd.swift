import KVCore

/// The end of a binding at a key of a control, or of whatever holds the last key of a longer path, which may be a control.
///
/// A control is read and set by its own functions and heard by its events (CTL.1); all else as at any end.
final class ControlEnd: BindingEnd, @unchecked Sendable {  // guard: immutable but for `core`, set before it listens
  private let key: String
  private let events = ControlEvents()
  @exclusivity(unchecked) private weak var core: BindingCore?

  init(_ object: AnyObject, _ path: KVKeyPath, key: String) {
    self.key = key
    super.init(object, path)
  }

  /// The control that holds the last key now; nil if something else does.
  private var control: (any KVControl)? { (path.count == 1 ? object : lastHolder) as? any KVControl }

  // MARK: Hearing

  override func listen(for core: BindingCore, _ side: BindingSide) throws(KVError) {
    // Another holder may be told of as soon as the way is observed.
    self.core = core
    let isControl = control != nil
    // A key that is not there is found out now.
    if isControl { _ = try read() }
    if path.count > 1 {
      do throws(KVError) { try super.listen(for: core, side) } catch {
        try pass(error, isControl: isControl)
        try listenToHolder(for: core, side)
        _ = noteHolder()
      }
    }
    try follow(core)
  }

  private func follow(_ core: BindingCore) throws(KVError) {
    try events.follow(path, for: core, .target) { control }
  }

  /// Throws what keeps a path from being observed, unless it leads to a control.
  ///
  /// The way to that may be one that never changes, and what the control shows need be no key of it.
  private func pass(_ error: KVError, isControl: Bool) throws(KVError) {
    guard isControl, error.code == .notObservable || error.code == .undefinedKey else { throw error }
  }

  override func holderChanged() {
    guard let core else { return }
    do throws(KVError) { try follow(core) } catch { core.fail(error) }
  }

  override func end() {
    events.end()
    super.end()
  }

  // MARK: Reading and setting

  override var usesAccessors: Bool { control == nil }

  override func read() throws(KVError) -> Reading {
    guard let control else { return try super.read() }
    do throws(KVError) {
      return try control.controlValue(forKey: key).flatMap(flattened).map { .value($0) } ?? .null
    } catch {
      throw error.located(path: path.description, root: typeName)
    }
  }

  override func validated(_ value: Any?) throws(KVError) -> Any? {
    do throws(KVError) { return try super.validated(value) } catch {
      // A control may show what it has no key for.
      guard error.code == .undefinedKey, control != nil else { throw error }
      return value
    }
  }

  override func set(_ value: Any?) throws(KVError) -> Bool {
    guard let control else { return try super.set(value) }
    do throws(KVError) { try control.setControlValue(value, forKey: key) } catch {
      throw error.located(path: path.description, root: typeName)
    }
    return true
  }

  // MARK: Checking

  override func checkHearing() throws(KVError) {
    let control = control
    if path.count > 1 {
      do throws(KVError) { try super.checkHearing() } catch { try pass(error, isControl: control != nil) }
    }
    if let control { try ControlEvents.check(control, path) }
  }
}

extension BindingEnd {
  /// Returns the end of a binding that follows: a control is heard by its events, all else is observed.
  static func target(_ object: AnyObject, _ path: KVKeyPath) -> BindingEnd {
    guard case .key(let key) = path.last, path.count > 1 || object is any KVControl else {
      return BindingEnd(object, path)
    }
    return ControlEnd(object, path, key: key)
  }
}
