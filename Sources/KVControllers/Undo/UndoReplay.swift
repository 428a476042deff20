import KVBinding
import KVCore

/// Undoes or redoes the edits of one step (UND.5, UND.7).
///
/// Handlers and bindings may change recorded keys after each edit. These side effects are reverted together with the next
/// edit of their key, and at the latest at the end.
final class UndoReplay {
  /// The greatest number of times that side effects on a key are reverted after an edit; handlers that make more make
  /// them without end.
  private static let limit = 1000

  let isReverse: Bool

  /// All changes and edits, in their order.
  private(set) var log: ContiguousArray<UndoEdit> = []
  /// The changes by handlers that have not been reverted, by key.
  private var sideEffects: [ObjectIdentifier: [UndoEdit]] = [:]
  /// The keys with side effects, in the order of their first ones, and keys whose side effects have been reverted.
  private var keysWithSideEffects: [UndoKey] = []
  /// The dependent keys whose values have followed from edits: what their own edits set may be set already.
  private var followed: Set<ObjectIdentifier> = []
  /// The last edits of dependent keys, which have made their values.
  private var made: [ObjectIdentifier: KeyChange] = [:]
  /// How often the side effects on each key were reverted since the last edit.
  private var reversals: [ObjectIdentifier: Int] = [:]
  /// The key that the replay changes now.
  private var changing: UndoKey?
  /// The depth of the replay's own change of that key; nil until the change is notified.
  private var depth: Int?

  init(isReverse: Bool) { self.isReverse = isReverse }

  // MARK: Changes

  /// Records a change of a key, of which the manager is notified before any handler of the key runs.
  func didChange(_ key: UndoKey, _ notice: borrowing _KVChangeNotice) {
    let isOwn = changing === key && isOutermost()
    // An own setting is not compared: if it changes nothing, reverting it changes nothing either.
    guard isOwn && notice.kind == .setting && notice.hasOldValue || key.isChanged(by: notice) else { return }
    log.append(UndoEdit(notice, key))
    if isOwn { return }
    if key.isDependent, isCausedByEdit() {
      followed.insert(ObjectIdentifier(key))
    } else {
      add(log[log.count - 1], of: key)
    }
  }

  /// Returns whether a change of a dependent key is one with the change that the replay makes, and no handler's.
  private func isCausedByEdit() -> Bool {
    let depth = ChangeBoundary.current.depth
    return changing != nil && depth <= self.depth ?? depth
  }

  /// Returns whether a change is the first one of the key that the replay changes, or one that its setter makes after it.
  ///
  /// Such a one is a correction in `didSet`. Handlers make changes inside of the first one.
  private func isOutermost() -> Bool {
    let depth = ChangeBoundary.current.depth
    guard let first = self.depth else {
      self.depth = depth
      return true
    }
    return depth <= first
  }

  /// Adds an answer; one that reverses the answer before it removes that, so that bindings which mirror arrays settle.
  private func add(_ change: UndoEdit, of key: UndoKey) {
    let id = ObjectIdentifier(key)
    guard let last = sideEffects[id]?.last else {
      sideEffects[id] = [change]
      return keysWithSideEffects.append(key)
    }
    if change.reverses(last) {
      sideEffects[id]?.removeLast()
      if sideEffects[id]?.isEmpty == true { sideEffects[id] = nil }
    } else {
      sideEffects[id]?.append(change)
    }
  }

  // MARK: Edits

  /// Makes the edits of a step, or their reverse; each recorded key has its value then.
  ///
  /// Observers of joint keys are notified afterwards, and may answer: ``revertSideEffects()`` follows.
  ///
  /// - Parameters:
  ///   - edits: The edits.
  ///   - aggregateKeys: The keys whose observers are notified once of all edits.
  /// - Throws: ``KVError``: that of the first edit that cannot be made; `doesNotSettle` if handlers change the keys
  ///   without end.
  func make(_ edits: ContiguousArray<UndoEdit>, _ aggregateKeys: AggregateKeys) throws(KVError) {
    log.reserveCapacity(edits.count)
    try aggregateKeys.notifyingOnce { () throws(KVError) in
      // By index: an iterator copies each edit more often.
      for offset in edits.indices { try make(edits[isReverse ? edits.count - 1 - offset : offset]) }
      try revertSideEffects()
      try checkFollowed(edits)
    }
  }

  /// Throws if the value of a dependent key, which its own edit has made, was changed by another edit for good: the setters
  /// of the keys do not set what their getters return.
  private func checkFollowed(_ edits: ContiguousArray<UndoEdit>) throws(KVError) {
    if followed.isEmpty { return }
    for edit in edits {
      guard case .key(let key) = edit.target, followed.remove(ObjectIdentifier(key)) != nil, let object = key.object,
        let part = made[ObjectIdentifier(key)]
      else { continue }
      let value = key.value(of: object)
      if !Equality.areIdentical(value, ToManyParts.undone([part], from: value)) {
        throw instability(
          key, "another key of the step changes it, and its setter does not set what its getter returns",
          cure: "Let the setter do so, or record what both are computed from.")
      }
    }
  }

  private func make(_ edit: UndoEdit) throws(KVError) {
    switch edit.target {
    case .key(let key):
      guard let object = key.object else { return }
      if !reversals.isEmpty { reversals.removeAll(keepingCapacity: true) }
      let sideEffects = try removeSideEffects(of: key)
      let change = key.isDependent || !sideEffects.isEmpty ? edit.change(of: key, isReverse: !isReverse) : nil
      if key.isDependent { made[ObjectIdentifier(key)] = change }
      if let change, followed.remove(ObjectIdentifier(key)) != nil || !sideEffects.isEmpty {
        try set(key, [change] + sideEffects.map { $0.change(of: key) })
      } else {
        try make(key) { () throws(KVError) in try edit.make(at: key, of: object, isReverse: isReverse) }
      }
    case .action(let action):
      guard edit.isAlive else { return }
      if !reversals.isEmpty { reversals.removeAll(keepingCapacity: true) }
      try action.make(isReverse: isReverse)
      log.append(UndoEdit(action.made(isReverse: isReverse)))
    }
  }

  /// Reverts the side effects of handlers that have not been reverted yet.
  func revertSideEffects() throws(KVError) {
    while let key = keysWithSideEffects.popLast() {
      let changes = try removeSideEffects(of: key)
      if changes.isEmpty { continue }
      if changes.count == 1 {
        try make(key) { () throws(KVError) in
          if let object = key.object { try changes[0].make(at: key, of: object, isReverse: true) }
        }
      } else {
        try set(key, changes.map { $0.change(of: key) })
      }
    }
  }

  /// Returns the side effects on a key, which are reverted from then on.
  private func removeSideEffects(of key: UndoKey) throws(KVError) -> [UndoEdit] {
    guard !sideEffects.isEmpty, let changes = sideEffects.removeValue(forKey: ObjectIdentifier(key)) else { return [] }
    reversals[ObjectIdentifier(key), default: 0] += 1
    if reversals[ObjectIdentifier(key), default: 0] <= Self.limit { return changes }
    throw instability(key)
  }

  private func instability(
    _ key: UndoKey, _ reason: String = "handlers change it again and again while it is restored",
    cure: String = "Let a handler compute a value from the values that are recorded."
  ) -> KVError {
    let name = key.object.map { "\(type(of: $0))" } ?? "an object"
    return KVError(
      .doesNotSettle, "the step is not made, because of \"\(key.path)\" of \(name): \(reason). \(cure)",
      keyPath: key.path.description)
  }

  /// Sets the value that a key had before changes, in one change: handlers may refuse the values in between.
  private func set(_ key: UndoKey, _ parts: [KeyChange]) throws(KVError) {
    guard let object = key.object else { return }
    let value = key.value(of: object)
    let previous = ToManyParts.undone(parts, from: value)
    if Equality.areIdentical(value, previous) { return }
    let change = KVChange(object: object, keyPath: key.path, old: previous, new: value)
    try make(key) { () throws(KVError) in try change.revert() }
  }

  private func make(_ key: UndoKey, _ body: () throws(KVError) -> Void) throws(KVError) {
    guard key.isRecorded else { return try makeUnrecorded(key, body) }
    (changing, depth) = (key, nil)
    defer { changing = nil }
    try body()
  }

  /// Changes a key of whose changes the manager is not notified any more, and logs the change.
  private func makeUnrecorded(_ key: UndoKey, _ body: () throws(KVError) -> Void) throws(KVError) {
    guard let object = key.object else { return }
    let previous = key.value(of: object)
    try body()
    log.append(UndoEdit(setting: key, from: previous, to: key.value(of: object)))
  }
}
