import KVCore

// Each event names the root and the path as they were registered, and the object that changed if it is another one
// (DIA.3).

extension Registration {
  /// Reports an event of the registration.
  ///
  /// - Parameters:
  ///   - level: The importance of the event.
  ///   - topic: The subject of the event.
  ///   - object: The object that changed, or that is at fault; nil for the root.
  ///   - message: Returns the message for a text that names the path and its root.
  @inline(__always)
  func report(
    _ level: KVDiagnostics.Level, _ topic: KVDiagnostics.Topic, changed object: AnyObject? = nil,
    _ message: (String) -> String
  ) {
    if KVDiagnostics.isReported(level) { report(always: level, topic, changed: object, message) }
  }

  @inline(never)
  private func report(
    always level: KVDiagnostics.Level, _ topic: KVDiagnostics.Topic, changed object: AnyObject? = nil,
    _ message: (String) -> String
  ) {
    let root = root
    let other = object.flatMap { ObjectIdentifier($0) == root?.id ? nil : $0 }
    KVDiagnostics.report(
      always: level, topic, path, id: root?.id, changed: other.map { ObjectIdentifier($0) }, site
    ) {
      message(name) + (other.map { ", in \(type(of: $0))" } ?? "")
    }
  }

  // Both test the level before they make the closure, which retains the registration.

  /// Reports that the registration has begun.
  func reportBegin() {
    guard KVDiagnostics.isReported(.debug) else { return }
    report(always: .debug, .registration) { "\($0): \(summary) registered [\(options)]" }
  }

  /// Reports that the registration has ended.
  func reportEnd() {
    guard KVDiagnostics.isReported(.debug) else { return }
    report(always: .debug, .registration) { "\($0): \(summary) ended" }
  }

  /// Reports a fault of the path that is found after the registration.
  func report(_ error: KVError, at object: AnyObject?) {
    report(.error, .faultyPath, changed: object) { "observing \($0): \(error)" }
  }

  private var name: String { root.map { "\($0.type).\(path)" } ?? "\(path)" }

  /// The root, the path and the source location of the registration.
  var locatedName: String { site.isUnknown ? name : "\(name) (\(site.description))" }

  /// The identity and the class of the root, which may have been deallocated; nil if the registration never had one.
  private var root: (id: ObjectIdentifier, type: AnyClass)? {
    if let chain { return (chain.rootID, chain.rootType) }
    return registrar.map { ($0.objectID, $0.objectType) }
  }

  /// Whether an object is the root of the path.
  func isRooted(in object: AnyObject) -> Bool { root?.id == ObjectIdentifier(object) }

  /// Reports a value that does not convert to the type of a typed observation.
  @usableFromInline
  func reportFaultyValue(_ value: Any, _ type: Any.Type) {
    report(.error, .faultyValue) {
      "\($0) is observed as \(type), but holds \(describe(value)), which does not convert"
    }
  }
}
