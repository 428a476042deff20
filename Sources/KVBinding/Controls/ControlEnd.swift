import KVCore

/// The end of a binding at a control, which is heard by its events (CTL.1).
final class ControlEnd: BindingEnd, @unchecked Sendable {  // guard: immutable
  private let key: String
  private let events = ControlEvents()

  init(_ control: any KVControl, _ path: KVKeyPath, key: String) {
    self.key = key
    super.init(control, path)
  }

  private var control: (any KVControl)? { object as? any KVControl }

  // MARK: Hearing

  override func listen(for core: BindingCore, _ side: BindingSide) throws(KVError) {
    guard let control else { return }
    // A key that is not there is found out now.
    _ = try read()
    try events.follow(control, path, for: core, side)
  }

  override func end() {
    events.end()
    super.end()
  }

  // MARK: Reading and setting

  override var usesAccessors: Bool { false }

  override func read() throws(KVError) -> Reading {
    guard let control else { return .unresolved }
    return try control.controlValue(forKey: key).flatMap(flattened).map { .value($0) } ?? .null
  }

  override func validated(_ value: Any?) throws(KVError) -> Any? {
    do throws(KVError) { return try super.validated(value) } catch {
      // A control may show what it has no key for.
      guard error.code == .undefinedKey else { throw error }
      return value
    }
  }

  override func set(_ value: Any?) throws(KVError) -> Bool {
    guard let control else { return false }
    try control.setControlValue(value, forKey: key)
    return true
  }
}

extension BindingEnd {
  /// Returns the end of a binding that follows: a control is heard by its events, all else is observed.
  static func target(_ object: AnyObject, _ path: KVKeyPath) -> BindingEnd {
    guard case .key(let key) = path.last else { return BindingEnd(object, path) }
    if path.count > 1 { return HeldControlEnd(object, path) }
    if let control = object as? any KVControl { return ControlEnd(control, path, key: key) }
    return BindingEnd(object, path)
  }
}
