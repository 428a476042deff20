import KVControllers

/// The undo manager of a model, and what its steps restore: the elements of the model and the keys of these (UND.3, UND.4).
///
/// The controller finds an undone edit as any other edit of its model. So does the oracle: `follow` is called with each.
final class RandomHistory<Element: RandomElement> {
  struct State: Equatable {
    let elements: [AnyHashable]
    let texts: [String]

    init(_ shelf: RandomShelf<Element>) {
      // The members of a set have no order.
      let isSet = shelf.key == "members"
      let pairs = shelf.elements.map { ($0.identity, "\($0.title)\($0.rank)") }
      let ordered = isSet ? pairs.sorted { $0.0.hashValue < $1.0.hashValue } : pairs
      (elements, texts) = (ordered.map(\.0), ordered.map(\.1))
    }
  }

  private struct Step { let before, after: State, edits: Int }

  enum Edit {
    case collection(KVChange)
    case element(Element)
  }

  let undo = KVUndoManager()
  private weak var shelf: RandomShelf<Element>?
  private var tokens: [KVObservation] = []
  private var done: [Step] = []
  private var undone: [Step] = []
  private var edits = 0

  init(_ shelf: RandomShelf<Element>, follow: @escaping (Edit) -> Void) throws {
    self.shelf = shelf
    let areObjects = Element.self is AnyObject.Type
    if areObjects {
      try undo.recordElements(of: shelf.key, in: shelf)
    } else {
      try undo.record(shelf, keys: [shelf.key])
    }
    tokens.append(
      try shelf.observe(shelf.key) { [unowned self] change in
        if Self.isEdit(change) { edits += 1 }
        if isReplaying { follow(.collection(change)) }
      })
    guard areObjects else { return }
    for key in ["title", "rank"] {
      tokens.append(
        try shelf.observeElements(of: shelf.key, key) { [unowned self] change in
          if "\(change.old ?? "")" != "\(change.new ?? "")" { edits += 1 }
          if isReplaying, let element = change.object as? Element { follow(.element(element)) }
        })
    }
  }

  private var isReplaying: Bool { undo.isUndoing || undo.isRedoing }

  /// Whether a change of the collection is recorded: one by equal elements is not (UND.2).
  private static func isEdit(_ change: KVChange) -> Bool {
    let (old, new) = (identities(change.old), identities(change.new))
    return old != new || change.kind == .insertion || change.kind == .removal
  }

  private static func identities(_ value: Any?) -> [AnyHashable] {
    if let set = value as? Set<AnyHashable> { return set.sorted { $0.hashValue < $1.hashValue } }
    return (value as? [Element])?.map(\.identity) ?? []
  }

  /// Makes changes that are one step.
  ///
  /// - Parameter isGroup: Whether there may be several of them.
  func record(isGroup: Bool, _ body: () throws -> Void) throws {
    guard let before = shelf.map({ State($0) }) else { return try body() }
    edits = 0
    if isGroup { try undo.group { try body() } } else { try body() }
    // The model may have died, and the history with it.
    guard let shelf, edits > 0 else { return }
    done.append(Step(before: before, after: State(shelf), edits: edits))
    undone = []
  }

  /// The number of edits of the next step to undo or redo; zero if there is no step.
  func edits(isUndo: Bool) -> Int { (isUndo ? done : undone).last?.edits ?? 0 }

  /// Undoes or redoes a step, and returns what is wrong.
  func replay(isUndo: Bool) throws -> [String] {
    let isMade = isUndo ? try undo.undo() : try undo.redo()
    guard isMade, let step = isUndo ? done.popLast() : undone.popLast() else { return ["there is no step"] }
    if isUndo { undone.append(step) } else { done.append(step) }
    let (wanted, state) = (isUndo ? step.before : step.after, shelf.map({ State($0) }))
    guard let state else { return ["the model is gone"] }
    return state == wanted ? [] : ["the model is \(state.texts), not \(wanted.texts)"]
  }

  /// Returns what is wrong with the numbers of steps (UND.10).
  func faults() -> [String] {
    let (counts, wanted) = ([undo.undoCount, undo.redoCount], [done.count, undone.count])
    return counts == wanted ? [] : ["the numbers of steps are \(counts), not \(wanted)"]
  }
}
