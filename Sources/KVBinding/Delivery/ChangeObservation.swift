import KVCore

/// An observation by a closure that takes records.
final class ChangeObservation: Observation, @unchecked Sendable {  // guard: immutable
  private let handler: (KVChange) -> Void

  init(_ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, _ handler: @escaping (KVChange) -> Void) {
    self.handler = handler
    super.init(path, options, site)
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    guard let root = root(notice) else { return }
    handler(record(notice, root, phase))
  }
}

/// An observation by a closure that was made where the type of the value is known.
final class TypedObservation: Observation, @unchecked Sendable {  // guard: immutable
  private let sink: NoticeSink

  init(_ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, _ sink: @escaping NoticeSink) {
    self.sink = sink
    super.init(path, options, site)
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    sink(notice, phase == .prior, phase == .initial, path, options, Site(file: file, line: line))
  }

  /// The short way of most deliveries: what `super` does, without its calls.
  override func did(_ notice: borrowing KVChangeNotice) {
    guard isUnhindered, notice.hasNewValue else { return super.did(notice) }
    sink(notice, false, false, path, options, Site(file: file, line: line))
  }

  override var summary: String { "typed closure" }
}

/// An observation that belongs to an object, which is held weakly: it ends with that (LIF.2).
// guard: immutable but for the weak reference
final class OwnedObservation: Observation, OwnedRegistration, @unchecked Sendable {
  /// What is called with the owner; the record is nil where none is wanted.
  typealias Handler = (AnyObject, KVChange?) -> Void

  @exclusivity(unchecked) private(set) weak var owner: AnyObject?
  let ownerID: ObjectIdentifier
  /// The name of the action of a target; nil for closures.
  let action: String?
  let wantsRecord: Bool
  override var wantsWhole: Bool { isWhole }
  private let isWhole: Bool
  private let handler: Handler

  init(
    _ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, owner: AnyObject, action: String? = nil,
    wantsRecord: Bool = true, wantsWhole: Bool = false, _ handler: @escaping Handler
  ) {
    self.owner = owner
    ownerID = ObjectIdentifier(owner)
    self.action = action
    self.wantsRecord = wantsRecord
    isWhole = wantsWhole
    self.handler = handler
    super.init(path, options, site)
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    guard let owner else { return end() }
    guard wantsRecord else { return handler(owner, nil) }
    guard let root = root(notice) else { return }
    handler(owner, record(notice, root, phase))
  }

  override func didBegin() {
    guard let owner else { return end() }
    Owners.add(self, to: owner)
    // Ended meanwhile, by another thread.
    if isEnded { Owners.forget(self) }
  }

  override func didEnd() { Owners.forget(self) }

  func cancel() { end() }

  override var summary: String { action.map { "action \"\($0)\"" } ?? "closure with owner" }
  override var ownerDescription: String? { owner.map { "\(type(of: $0))" } ?? "an owner that is gone" }
}
