import KVCore

/// Undoes or redoes the edits of one step (UND.5, UND.7).
///
/// Handlers and bindings answer each edit, and may change recorded keys. The answers of a key are reverted together with
/// the next edit of that key, and at the latest at the end.
final class UndoReplay {
  /// The greatest number of times that answers are reverted; handlers that answer more often do so without end.
  private static let limit = 1000

  /// All changes and edits, in their order.
  private(set) var log: [UndoEdit] = []
  /// The changes by handlers that have not been reverted, by key.
  private var answers: [(key: UndoKey, changes: [UndoChange])] = []
  private var reversals = 0
  /// The key that the replay changes now.
  private var changing: UndoKey?
  /// The depth of the replay's own change of that key; nil until the change is notified.
  private var depth: Int?

  // MARK: Changes

  /// Records a change of a key, of which the manager is notified before any handler of the key runs.
  func didChange(_ key: UndoKey, _ notice: borrowing _KVChangeNotice) {
    let isOwn = changing === key && isOutermost()
    guard let change = UndoChange(notice, key) else { return }
    log.append(.change(change))
    if !isOwn { add(change) }
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
  private func add(_ change: UndoChange) {
    guard let index = answers.firstIndex(where: { $0.key === change.key }) else {
      return answers.append((change.key, [change]))
    }
    let last = answers[index].changes.count - 1
    if change.reverses(answers[index].changes[last]) {
      answers[index].changes.removeLast()
      if last == 0 { answers.remove(at: index) }
    } else {
      answers[index].changes.append(change)
    }
  }

  // MARK: Edits

  /// Makes the edits of a step, or their reverse; each recorded key has its value then.
  ///
  /// - Throws: ``KVError``: that of the first edit that cannot be made; `doesNotSettle` if handlers change the keys
  ///   without end.
  func make(_ edits: some Sequence<UndoEdit>, isReverse: Bool) throws(KVError) {
    for edit in edits where edit.isAlive {
      switch edit {
      case .change(let change):
        if let index = answers.firstIndex(where: { $0.key === change.key }) {
          try set(change.key, [isReverse ? change.part : change.reversedPart] + takeAnswers(at: index).map(\.part))
        } else {
          try make(change.key) { () throws(KVError) in try change.make(isReverse: isReverse) }
        }
      case .action(let action):
        try action.make(isReverse: isReverse)
        log.append(.action(action.made(isReverse: isReverse)))
      }
    }
    try settle()
  }

  /// Reverts the answers of handlers that have not been reverted yet.
  func settle() throws(KVError) {
    while let key = answers.last?.key {
      let changes = try takeAnswers(at: answers.count - 1)
      if changes.count == 1 {
        try make(key) { () throws(KVError) in try changes[0].make(isReverse: true) }
      } else {
        try set(key, changes.map(\.part))
      }
    }
  }

  private func takeAnswers(at index: Int) throws(KVError) -> [UndoChange] {
    let (key, changes) = answers.remove(at: index)
    reversals += 1
    if reversals <= Self.limit { return changes }
    throw KVError(
      .doesNotSettle,
      """
      the step is not made: handlers change "\(key.path)" of \(key.object.map { "\(type(of: $0))" } ?? "an object") again \
      and again while it is restored. Let a handler compute a value from the values that are recorded.
      """, keyPath: key.path.description)
  }

  /// Sets the value that a key had before changes, in one change: handlers may refuse the values in between.
  private func set(_ key: UndoKey, _ parts: [PendingRecord.Part]) throws(KVError) {
    guard let object = key.object else { return }
    let value = key.value(of: object)
    let former = ToManyParts.undone(parts, from: value)
    if Equality.areEqual(value, former) { return }
    let change = KVChange(object: object, keyPath: key.path, old: former, new: value)
    try make(key) { () throws(KVError) in try change.revert() }
  }

  private func make(_ key: UndoKey, _ body: () throws(KVError) -> Void) throws(KVError) {
    (changing, depth) = (key, nil)
    defer { changing = nil }
    try body()
  }
}
