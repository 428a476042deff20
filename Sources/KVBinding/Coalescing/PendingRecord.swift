import KVCore

/// The changes that one receiver has not heard of yet.
struct PendingRecord {
  /// One of the changes.
  struct Part {
    let kind: KVChange.Kind
    let indexes: [Int]?
    var old: Any?
    var new: Any?
  }

  /// The registrations that it is delivered through: the first that is still there.
  private var observations: [Observation]
  /// Kept alive until then (COA.7).
  private let root: AnyObject
  private let key: KVKey
  private var parts: [Part] = []
  private let isInitial: Bool

  init(_ observation: Observation, _ root: AnyObject, _ notice: borrowing KVChangeNotice, _ phase: Phase) {
    observations = [observation]
    self.root = root
    key = notice.key
    isInitial = phase == .initial
    merge(notice, phase)
  }

  mutating func add(_ observation: Observation) {
    if !observations.contains(where: { $0 === observation }) { observations.append(observation) }
  }

  /// Adds a change; a setting after a setting leaves the first old and the last new value.
  mutating func merge(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    if let observation = observations.first as? OwnedObservation, !observation.wantsRecord, !parts.isEmpty { return }
    if notice.kind == .setting, parts.last?.kind == .setting {
      parts[parts.count - 1].new = notice.newValue
    } else {
      parts.append(
        Part(kind: notice.kind, indexes: notice.indexes, old: notice.oldValue, new: notice.newValue))
    }
  }

  /// Delivers one record for all of them, if somebody is still there to hear it (COA.6).
  func deliver() {
    guard let observation = observations.first(where: { !$0.isEnded && !$0.isPaused }), let part = merged(observation)
    else { return }
    if observation.options.contains(.distinct), part.kind == .setting, !isInitial,
      Equality.areEqual(part.old, part.new)
    {
      return
    }
    withUnsafePointer(to: part.old) { old in
      withUnsafePointer(to: part.new) { new in
        let notice = KVChangeNotice(
          object: root, key: key, kind: part.kind, indexes: part.indexes, valueType: Any?.self, oldAddress: old,
          newAddress: new, boxer: Boxer<Any?>.self)
        observation.deliverTraced(notice, isInitial ? .initial : .change)
      }
    }
  }

  private func merged(_ observation: Observation) -> Part? {
    guard parts.count > 1 else { return parts.first }
    if let composed = ToManyParts.composed(parts) { return composed }
    let new = observation.value(of: root, from: 0)
    return Part(kind: .setting, indexes: nil, old: ToManyParts.undone(parts, from: new), new: new)
  }
}
