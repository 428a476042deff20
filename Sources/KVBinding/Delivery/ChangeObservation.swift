import KVCore

/// An observation with a closure that receives records.
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

/// An observation with a closure for values of a static type.
final class TypedObservation: Observation, @unchecked Sendable {  // guard: immutable
  private let sink: NoticeSink

  init(_ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, _ sink: @escaping NoticeSink) {
    self.sink = sink
    super.init(path, options, site)
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    sink(notice, phase == .prior, phase == .initial, path, options, Site(file: file, line: line))
  }

  /// Does what `super` does, without its calls, for most notifications.
  override func didChange(_ notice: borrowing KVChangeNotice) {
    guard isUnhindered, notice.hasNewValue else { return super.didChange(notice) }
    sink(notice, false, false, path, options, Site(file: file, line: line))
  }

  override var summary: String { "typed closure" }
}

/// An observation that ends with its owner, a weak reference (LIF.2).
// guard: immutable but for the weak reference
class OwnedObservation: Observation, OwnedRegistration, @unchecked Sendable {
  /// A closure that is called with the owner, and with a record unless `wantsRecord` is false.
  typealias Handler = (AnyObject, KVChange?) -> Void

  @exclusivity(unchecked) private(set) weak var owner: AnyObject?
  final let ownerID: ObjectIdentifier
  /// The name of the action of a target; nil for closures.
  final let action: String?
  final let wantsRecord: Bool
  override final var kindsReportedAsSetting: PartialKinds { reportedAsSetting }
  override final var includesOldCollection: Bool { isOldCollectionIncluded }
  private let reportedAsSetting: PartialKinds
  private let isOldCollectionIncluded: Bool
  private let handler: Handler

  init(
    _ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, owner: AnyObject, action: String? = nil,
    wantsRecord: Bool = true, reportedAsSetting: PartialKinds = [], includesOldCollection: Bool = true,
    _ handler: @escaping Handler
  ) {
    self.owner = owner
    ownerID = ObjectIdentifier(owner)
    self.action = action
    self.wantsRecord = wantsRecord
    self.reportedAsSetting = reportedAsSetting
    isOldCollectionIncluded = includesOldCollection
    self.handler = handler
    super.init(path, options, site)
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    guard let owner else { return cancel() }
    guard wantsRecord else { return handler(owner, nil) }
    guard let root = root(notice) else { return }
    handler(owner, record(notice, root, phase))
  }

  override final func didBegin() { Owners.adopt(self) }
  override final func didEnd() { Owners.forget(self) }

  override final func belongs(to object: AnyObject) -> Bool { owner === object && action == nil }
  override final var isOrphaned: Bool { owner == nil }
  override var summary: String { action.map { "action \"\($0)\"" } ?? "closure with owner" }
  override final var ownerDescription: String? { Owners.description(of: owner) }
}

/// An observation that ends with its owner, with a closure for values of a static type.
final class OwnedTypedObservation: OwnedObservation, @unchecked Sendable {  // guard: immutable
  private let sink: NoticeSink

  init(
    _ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, owner: AnyObject, _ sink: @escaping NoticeSink
  ) {
    self.sink = sink
    super.init(path, options, site, owner: owner) { _, _ in }
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    guard !isOrphaned else { return cancel() }
    sink(notice, phase == .prior, phase == .initial, path, options, Site(file: file, line: line))
  }

  override var summary: String { "typed closure with owner" }
}
