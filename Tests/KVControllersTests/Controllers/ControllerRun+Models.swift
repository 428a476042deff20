import KVControllers

// What the model does: edits of a set, and steps that are undone.
extension ControllerRun {
  /// Whether the model has a set, whose members have no order.
  var hasSet: Bool { shelf?.key == "members" }

  /// Edits the set of the model; the content has its members then, in an order of its own (CTR.14).
  func editSet(_ shelf: RandomShelf<Element>) throws -> [String] {
    let view = shelf.mutableSet(forKey: shelf.key)
    let former = oracle.content.map(\.tune)
    var wanted = Set(former.map(\.identity))
    let before = wanted
    switch random.below(4) {
    case 0, 1:
      let tunes = tunes(3)
      log.append("model unites with \(tunes)")
      wanted.formUnion(tunes.map(\.identity))
      try view.formUnion(tunes)
    case 2:
      let tunes = indexes(below: former.count).map { former[$0] }
      log.append("model subtracts \(tunes)")
      wanted.subtract(tunes.map(\.identity))
      try view.subtract(tunes)
    default:
      let tunes = tunes(6)
      log.append("model sets \(tunes)")
      wanted = Set(tunes.map(\.identity))
      shelf.elements = tunes
    }
    if wanted != before { oracle.assign(list.content) }
    let isRight = list.content.count == wanted.count && Set(list.content.map(\.identity)) == wanted
    return isRight ? [] : ["the content is \(list.content), not the members of the set"]
  }

  /// Gives the content each element once, as a set has them; it is an update of its own (CTR.14).
  ///
  /// Returns whether an element was there twice.
  func dropRepeated() -> Bool {
    guard isBound, hasSet else { return false }
    var seen: Set<AnyHashable> = []
    let distinct = oracle.content.map(\.tune).filter { seen.insert($0.identity).inserted }
    guard distinct.count < oracle.content.count else { return false }
    oracle.assign(distinct)
    return true
  }

  /// Undoes or redoes a step of the model (UND.3).
  ///
  /// - Returns: What is wrong; nil if there is no step.
  func replay() throws -> [String]? {
    let isUndo = random.below(3) > 0
    guard let history, history.edits(isUndo: isUndo) > 0 else { return nil }
    let edits = history.edits(isUndo: isUndo)
    var faults: [String] = []
    if edits > 1, random.below(2) == 0 {
      try update { faults = try replay(history, isUndo, edits) }
    } else if edits > 1 {
      // Each edit is an update.
      repeats(.all)
      faults = try replay(history, isUndo, edits)
    } else {
      try inOracleUpdate { faults = try replay(history, isUndo, edits) }
    }
    return faults
  }

  private func replay(_ history: RandomHistory<Element>, _ isUndo: Bool, _ edits: Int) throws -> [String] {
    log.append("\(isUndo ? "undo" : "redo") \(edits)")
    return try history.replay(isUndo: isUndo)
  }

  /// Makes an edit that the history makes in the model.
  func follow(_ edit: RandomHistory<Element>.Edit) {
    switch edit {
    case .element(let element):
      if repeated == .none { repeats(.readingElements) }
      log.append("replayed: \(element)")
      oracle.didChange(element)
    case .collection(let change):
      log.append("replayed: \(change.kind) \(change.indexes ?? [])")
      oracle.update {
        if hasSet { return oracle.assign(list.content) }
        let (new, indexes) = (change.new as? [Element] ?? [], change.indexes ?? [])
        switch change.kind {
        case .insertion: for (index, tune) in zip(indexes, new) { _ = oracle.insertInContent([tune], at: index) }
        case .removal: oracle.removeFromContent(indexes.map { oracle.content[$0] })
        case .replacement: oracle.replaceInContent(at: indexes, with: new)
        case .setting: if !isSame(new, oracle.content.map(\.tune)) { oracle.assign(new) }
        }
        oracle.isEditedByModel = oracle.isEditedByModel || change.kind != .setting
      }
    }
  }
}
