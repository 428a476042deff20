import KVControllers

// The random steps.
extension ControllerRun {
  func add() throws {
    guard oracle.isEditable else { return }
    let tunes = tunes(3)
    log.append("add \(tunes)")
    if tunes.count == 1, random.below(2) == 0 { try list.add(tunes[0]) } else { try list.add(contentsOf: tunes) }
    oracle.add(tunes)
  }

  func insert() throws -> [String] {
    guard oracle.isEditable else { return [] }
    let clears = oracle.clearsFilter && oracle.limit != nil
    let count = clears ? oracle.content.count : oracle.arranged.count
    let tunes = tunes(3)
    var indexes: [Int] = []
    for position in 0..<tunes.count {
      let index = random.below(count + position + 2)
      indexes.append(index)
    }
    indexes.sort()
    for position in indexes.indices.dropFirst() where indexes[position] <= indexes[position - 1] {
      indexes[position] = indexes[position - 1] + 1
    }
    log.append("insert \(tunes) at \(indexes)")
    let isAccepted = oracle.insert(tunes, at: indexes)
    do {
      try list.insert(contentsOf: tunes, at: indexes)
      return isAccepted ? [] : ["an insertion at \(indexes) should throw"]
    } catch {
      let isRight = error.code == .indexOutOfRange || error.code == .invalidValue
      return !isAccepted && isRight ? [] : ["\(error)"]
    }
  }

  func remove() throws {
    guard oracle.isEditable else { return }
    switch random.below(5) {
    case 4 where !latest.isEmpty:
      // In one update, both leave no trace.
      let tunes = latest
      log.append("remove(contentsOf: \(tunes))")
      oracle.update {
        oracle.removeFromContent(oracle.content.filter { slot in tunes.contains { $0.identity == slot.tune.identity } })
      }
      try list.remove(contentsOf: tunes)
    case 0 where !oracle.selected.isEmpty:
      log.append("remove()")
      oracle.update { oracle.removeFromContent(oracle.selected) }
      try list.remove()
    case 1:
      let indexes = indexes(below: oracle.arranged.count)
      log.append("remove(at: \(indexes))")
      oracle.update { oracle.removeFromContent(indexes.map { oracle.arranged[$0] }) }
      try list.remove(at: indexes)
    default:
      guard let tune = oracle.content.randomElement(using: &random)?.tune else { return }
      log.append("remove(\(tune))")
      oracle.update { oracle.removeFromContent(oracle.content.filter { $0.tune.identity == tune.identity }) }
      try list.remove(tune)
    }
  }

  func select() throws -> [String] {
    let count = oracle.arranged.count
    let before = oracle.selectionIndexes
    var answer: Bool?
    switch random.below(6) {
    case 0:
      let indexes = indexes(below: count)
      log.append("selectionIndexes = \(indexes)")
      oracle.select(indexes.map { oracle.arranged[$0] })
      list.selectionIndexes = indexes + [count + 3]
    case 1:
      guard let slot = oracle.content.randomElement(using: &random) else { return [] }
      log.append("select(\(slot.tune))")
      let found = oracle.arranged.first { $0.tune.identity == slot.tune.identity }
      oracle.select(found.map { [$0] } ?? [])
      answer = try list.select(slot.tune)
    case 2:
      guard let slot = oracle.content.randomElement(using: &random) else { return [] }
      log.append("addToSelection(\(slot.tune))")
      let isSelected = oracle.selected.contains { $0.tune.identity == slot.tune.identity }
      let found = oracle.arranged.first { $0.tune.identity == slot.tune.identity }
      if !isSelected, let found { oracle.select(oracle.selected + [found]) }
      answer = try list.addToSelection(slot.tune)
    case 3:
      guard let slot = oracle.selected.randomElement(using: &random) else { return [] }
      log.append("removeFromSelection(\(slot.tune))")
      oracle.select(oracle.selected.filter { $0.tune.identity != slot.tune.identity })
      answer = try list.removeFromSelection(slot.tune)
    case 4:
      log.append("selectNext()")
      if oracle.canSelectNext { oracle.select([oracle.arranged[before.first.map { $0 + 1 } ?? 0]]) }
      try list.selectNext()
    default:
      log.append("selectPrevious()")
      if oracle.canSelectPrevious { oracle.select([oracle.arranged[(before.first ?? 1) - 1]]) }
      try list.selectPrevious()
    }
    if let answer, answer != (before != oracle.selectionIndexes) { return ["the call returned \(answer)"] }
    return []
  }

  func sort() {
    let orders = RandomOrder.allCases.shuffled(using: &random).prefix(random.below(3))
    log.append("sort \(orders)")
    oracle.update {
      oracle.orders = Array(orders)
      oracle.assignsOrders = true
      oracle.rearrange()
    }
    list.sortDescriptors = orders.map {
      switch $0 {
      case .rankUp: "rank"
      case .rankDown: .descending("rank")
      case .titleUp: "title"
      }
    }
  }

  func filter() {
    let limit = random.below(3) == 0 ? nil : random.below(11)
    log.append("filter \(String(describing: limit))")
    oracle.update {
      oracle.limit = limit
      oracle.assignsLimit = true
      oracle.rearrange()
    }
    list.filterPredicate = limit.map { "rank < \($0)" }
  }

  func rearrange() {
    log.append("rearrange")
    oracle.update {
      oracle.rearrange()
    }
    list.rearrangeObjects()
  }

  func editModel() throws -> [String] {
    // In an update the model does not know the controller's edits yet.
    guard isBound, let shelf, !(isInUpdate && oracle.changesContent) else { return [] }
    if hasSet { return try editSet(shelf) }
    let count = shelf.tunes.count
    let view = shelf.mutableArray(forKey: "tunes")
    switch random.below(6) {
    case 0, 1:
      let tunes = tunes(3)
      let index = random.below(count + 1)
      log.append("model inserts \(tunes) at \(index)")
      latest = tunes
      oracle.update {
        _ = oracle.insertInContent(tunes, at: index)
        oracle.isEditedByModel = true
      }
      try view.insert(tunes, at: index..<(index + tunes.count))
    case 2:
      let indexes = indexes(below: count)
      log.append("model removes \(indexes)")
      oracle.update {
        oracle.removeFromContent(indexes.map { oracle.content[$0] })
        oracle.isEditedByModel = !indexes.isEmpty || oracle.isEditedByModel
      }
      try view.remove(at: indexes)
    case 3, 4:
      guard count > 0 else { return [] }
      let index = random.below(count)
      let tune = tune()
      log.append("model replaces \(index) by \(tune)")
      oracle.update {
        oracle.replaceInContent(at: index, with: tune)
        oracle.isEditedByModel = true
      }
      try view.replace(at: [index], with: [tune])
    default:
      let tunes = tunes(6)
      log.append("model sets \(tunes)")
      // An equal content is not set (BND.4).
      if !isSame(tunes, oracle.content.map(\.tune)) { oracle.assign(tunes) }
      shelf.tunes = tunes
    }
    return []
  }

  func editElement() {
    guard let element = oracle.content.randomElement(using: &random)?.tune, let tune = element as? any RandomObject
    else { return }
    let rank = random.below(10)
    let title = String("abcdefghij".randomElement(using: &random) ?? "a")
    let changesRank = random.below(2) == 0
    repeats(.readingElements)
    log.append("\(tune) becomes \(changesRank ? "\(rank)" : title)")
    if changesRank { tune.rank = rank } else { tune.title = title }
    oracle.didChange(element)
  }

  /// Writes through the selection, which changes keys of the selected elements (CTR.36).
  func write() throws {
    let slots = oracle.selected
    let areObjects = Element.self is AnyObject.Type
    guard !slots.isEmpty else { return }
    let rank = random.below(Element.ranks)
    log.append("selection.rank = \(rank)")
    guard areObjects else {
      oracle.replace(slots) { Element($0.title, rank: rank) }
      return try list.setValue(rank, forKeyPath: "selection.rank")
    }
    // Objects change one after the other, and each can be an update.
    repeats(!oracle.isAutomatic ? .writing : slots.count > 1 ? .all : .readingElements)
    let tunes = oracle.selectedTunes
    for tune in tunes { oracle.former[tune.identity] = tune.rank }
    try list.setValue(rank, forKeyPath: "selection.rank")
    for tune in tunes {
      oracle.former[tune.identity] = nil
      oracle.didChange(tune)
    }
  }

  func setFlag() {
    let value = random.below(2) == 0
    let flag = random.below(7)
    log.append("flag \(flag) = \(value)")
    switch flag {
    case 0:
      oracle.setAutomatic(value)
      list.automaticallyRearrangesObjects = value
    case 1: (oracle.clearsFilter, list.clearsFilterPredicateOnInsertion) = (value, value)
    case 2: (oracle.preserves, list.preservesSelection) = (value, value)
    case 3:
      oracle.update {
        oracle.avoidsEmpty = value
        if value { oracle.avoidEmpty() }
      }
      list.avoidsEmptySelection = value
    case 4: (oracle.selectsInserted, list.selectsInsertedObjects) = (value, value)
    case 5: (oracle.isEditable, list.isEditable) = (value, value)
    default:
      oracle.setAutomatic(true)
      list.automaticallyRearrangesObjects = true
    }
  }

  func assign() {
    let tunes = tunes(8)
    // Some of the old ones.
    let kept = oracle.content.map(\.tune).filter { _ in random.below(2) == 0 }
    let all = (tunes + kept).shuffled(using: &random)
    log.append("content = \(all)")
    oracle.assign(all)
    list.content = all
  }

  func bind() throws {
    if isBound, random.below(2) == 0 {
      // The content remains when its source dies (CTR.14).
      log.append("the source dies")
      (shelf, history) = (nil, nil)
      isBound = false
      return
    }
    let new = makeShelf(tunes(6))
    log.append("binds \(new.elements)")
    try list.unbind("content")
    try list.bindContent(to: KVKeyPath(new.key), of: new)
    (shelf, history) = (new, nil)
    isBound = true
    let content = hasSet ? list.content : new.tunes
    // An equal content is not set (BND.4).
    if !isSame(content, oracle.content.map(\.tune)) { oracle.assign(content) }
  }

  /// Calls that throw and change nothing (CTR.5).
  func refuse() -> [String] {
    let list = list
    log.append("refused calls")
    let count = oracle.arranged.count
    var calls: [() throws -> Void]
    if oracle.isEditable {
      let limit = oracle.content.count + 1
      calls = [
        { try list.remove(at: [count]) }, { try list.insert(Element("x", rank: 0), at: limit) },
        { try list.insert(Element("x", rank: 0), at: -1) },
      ]
      if oracle.selected.isEmpty { calls.append { try list.remove() } }
    } else {
      calls = [
        { try list.add() }, { try list.insert() }, { try list.remove() }, { try list.add(Element("x", rank: 0)) },
        { try list.insert(Element("x", rank: 0), at: 0) },
      ]
    }
    for (index, call) in calls.enumerated() {
      do {
        try call()
        return ["call \(index) should throw"]
      } catch {}
    }
    return []
  }
}
