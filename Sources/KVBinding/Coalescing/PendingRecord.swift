import KVCore

/// The changes that one receiver has not heard of yet.
struct PendingRecord {
  /// One of the changes.
  struct Part {
    let kind: KVChange.Kind
    let indexes: [Int]?
    var old: Any?
    var new: Any?
    /// Whether anybody knows the old value.
    var hasOld = true
  }

  /// What one registration has to hear.
  private struct Entry {
    let observation: Observation
    let isInitial: Bool
    var parts: [Part] = []

    /// Whether it can be delivered through this registration (COA.6).
    var isOpen: Bool { !observation.isEnded && !observation.isPaused && !observation.isOrphaned }

    /// Adds a change; a setting after a setting leaves the first old and the last new value.
    ///
    /// - Returns: The value that it displaces.
    mutating func merge(_ notice: borrowing KVChangeNotice) -> Any? {
      if !wantsRecord, !parts.isEmpty { return nil }
      if notice.kind == .setting, parts.last?.kind == .setting {
        return setNew(notice.newValue)
      } else {
        parts.append(
          Part(
            kind: notice.kind, indexes: notice.indexes, old: notice.oldValue, new: notice.newValue,
            hasOld: notice.hasOldValue || notice.kind != .setting))
        return nil
      }
    }

    /// Puts a new value in place of that of the last change, which is returned.
    mutating func setNew(_ value: Any?) -> Any? {
      var value = value
      swap(&parts[parts.count - 1].new, &value)
      return value
    }

    var wantsRecord: Bool { (observation as? OwnedObservation)?.wantsRecord ?? true }
  }

  /// One a registration: the first that is still there delivers its own.
  private var entries: [Entry] = []
  /// Kept alive until then (COA.7).
  private let root: AnyObject
  private let key: KVKey

  init(_ observation: Observation, _ root: AnyObject, _ notice: borrowing KVChangeNotice, _ phase: Phase) {
    self.root = root
    key = notice.key
    _ = add(observation, notice, phase)
  }

  /// Whether nobody is left who could hear of it; another target may stand where the target stood.
  var isOrphaned: Bool { entries.allSatisfy(\.observation.isOrphaned) }

  /// Adds a registration, and the first change that it hears of; returns the place of its entry.
  mutating func add(_ observation: Observation, _ notice: borrowing KVChangeNotice, _ phase: Phase) -> Int {
    entries.append(Entry(observation: observation, isInitial: phase == .initial))
    _ = merge(notice, at: entries.count - 1)
    return entries.count - 1
  }

  /// Adds a change that a registration hears of; returns the value that it displaces, for it must not die in here.
  mutating func merge(_ notice: borrowing KVChangeNotice, at entry: Int) -> Any? { entries[entry].merge(notice) }

  /// Whether the last change that a registration hears of is a setting, and takes the new value of further ones.
  func endsInSetting(at entry: Int) -> Bool {
    entries[entry].wantsRecord && entries[entry].parts.last?.kind == .setting
  }

  /// Puts a new value in place of that of the last change; returns that as ``merge(_:at:)`` does.
  mutating func setNew(_ value: Any?, at entry: Int) -> Any? { entries[entry].setNew(value) }

  /// Makes one change of the changes of each registration, before anything is delivered that may change the value again.
  mutating func close() {
    for index in entries.indices where entries[index].parts.count > 1 {
      let parts = entries[index].parts
      if let composed = ToManyParts.composed(parts) {
        entries[index].parts = [composed]
        continue
      }
      let new = entries[index].observation.value(of: root, from: 0)
      // A setting whose old value nobody knows hides what was before it, but not before an earlier setting.
      let hasOld = parts.first?.kind == .setting ? parts[0].hasOld : parts.allSatisfy(\.hasOld)
      entries[index].parts = [
        Part(
          kind: .setting, indexes: nil, old: hasOld ? ToManyParts.undone(parts, from: new) : nil, new: new,
          hasOld: hasOld)
      ]
    }
  }

  /// Delivers one record for all of them, if somebody is still there to hear it (COA.6).
  func deliver() {
    guard let entry = entries.first(where: \.isOpen), let part = entry.parts.first else { return }
    let observation = entry.observation
    if part.hasOld, !entry.isInitial, observation.options.contains(.distinct),
      Observation.leavesEqual(part.kind, part.old, part.new)
    {
      return
    }
    withUnsafePointer(to: part.old) { old in
      withUnsafePointer(to: part.new) { new in
        let notice = KVChangeNotice(
          object: root, key: key, kind: part.kind, indexes: part.indexes, valueType: Any?.self, oldAddress: old,
          newAddress: new, boxer: BoxedValue.self)
        observation.deliverTraced(notice, entry.isInitial ? .initial : .change)
      }
    }
  }
}
