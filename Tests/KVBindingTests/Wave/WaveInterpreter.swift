import Foundation

/// A stored property of one of the objects of a random world.
struct WaveSlot: Hashable {
  let object: Int
  let key: String
}

/// A key path from one of the objects; all components but the last are `next`.
struct WavePath: Hashable {
  let root: Int
  let names: [String]

  var text: String { names.joined(separator: ".") }
}

/// What an observation, a binding or a handler of a random world is, for the library and for the interpreter.
enum WaveStep {
  struct Observer {
    let path: WavePath
    let (wantsOld, wantsNew, hasPrior, isDistinct): (Bool, Bool, Bool, Bool)
    /// What the handler does at its first notification.
    let action: WaveAction?
  }

  struct Binding {
    let sources: [WavePath]
    let target: WaveSlot
    /// The value of the target is the sum of the sources and the addend, up to the limit.
    let (addend, limit): (Int, Int)
    let isTwoWay: Bool

    func value(of sum: Int) -> Int { max(min(sum + addend, limit), -99) }
  }

  case observer(Observer)
  case binding(Binding)
}

/// A change of the program, or of a handler.
indirect enum WaveAction {
  case set(WaveSlot, Int)
  case add(WaveStep)
  /// Cancels an observation, or unbinds.
  case end(Int)
}

/// Predicts what a random world notifies of, in which order, by the rules of the contract alone (WAV, KVO.6, KVO.8).
final class WaveInterpreter {
  /// The turn of a binding, from its source or from its target.
  private struct Turn: Hashable {
    let id: Int
    let isBack: Bool
  }

  private struct Kept {
    let old: Int?
    /// Whether a change of a handler has notified the observer in the same wave.
    let wasTold: Bool
  }

  /// What one change notifies.
  private struct Change {
    let slot: WaveSlot
    /// The observers and bindings that depend on the property, in the order of registration.
    var reached: [Int] = []
    /// The old values of the observers that the wave does not keep already.
    var olds: [Int: Int?] = [:]
    /// The turns of the bindings.
    var turns: [Int: Turn] = [:]
  }

  private final class Wave {
    let outer: Wave?
    /// The turns to which another one leads.
    var behind: Set<Turn> = []
    /// The observers that several keys of the wave reach.
    var kept: Set<Int> = []
    var open: [Int: Kept] = [:]
    var told: Set<Int> = []
    var waiting: [(turn: Turn, rank: Int)] = []
    /// Whether a binding led to another one, or an observer is kept: if not, a write begins a wave of its own (WAV.2).
    var isOrdered = false

    init(outer: Wave?) { self.outer = outer }
  }

  private static let affecting = [
    "sum": [["a"], ["b"]], "mix": [["c"], ["sum"]], "far": [["a"], ["next", "b"]], "deep": [["b"], ["next", "sum"]],
  ]

  private(set) var values: [WaveSlot: Int] = [:]
  private(set) var steps: [WaveStep] = []
  private var isLive: [Bool] = []
  private var hasActed: Set<Int> = []
  private var wave: Wave?
  private(set) var log: [String] = []
  /// How many more turns of bindings there may be; negative if the values do not come to rest (BND.5).
  private(set) var turnsLeft = 100

  /// The turns of the bindings that are setting, and those that follow at once.
  private var (busy, pending): ([Int: Turn], [Int: Turn]) = ([:], [:])
  /// The bindings whose endpoint a handler has changed while they set it.
  private var corrected: Set<Int> = []
  /// The ranks of the turns in the newest wave of each.
  private var ranks: [Turn: Int] = [:]

  /// Returns what has been predicted since the last call.
  func take() -> [String] {
    defer { (log, turnsLeft) = ([], 100) }
    return log
  }

  // MARK: Values

  private func next(_ object: Int) -> Int? {
    values[WaveSlot(object: object, key: "next")].flatMap { $0 < 0 ? nil : $0 }
  }

  private func value(_ root: Int, _ names: ArraySlice<String>) -> Int? {
    if names.count > 1 { return next(root).flatMap { value($0, names.dropFirst()) } }
    func own(_ key: String) -> Int { value(root, [key]) ?? 0 }
    switch names.first {
    case "sum": return own("a") + 2 * own("b")
    case "mix": return own("c") + own("sum")
    case "far": return own("a") - (value(root, ["next", "b"]) ?? 0)
    case "deep": return own("b") + (value(root, ["next", "sum"]) ?? 0)
    default: return values[WaveSlot(object: root, key: names.first ?? ""), default: 0]
    }
  }

  private func value(_ path: WavePath) -> Int? { value(path.root, path.names[...]) }

  /// Returns the stored properties that a path leads through.
  private func slots(_ root: Int, _ names: ArraySlice<String>) -> Set<WaveSlot> {
    guard let name = names.first else { return [] }
    var result: Set = [WaveSlot(object: root, key: name)]
    for path in Self.affecting[name] ?? [] { result.formUnion(slots(root, path[...])) }
    if names.count > 1, let next = next(root) { result.formUnion(slots(next, names.dropFirst())) }
    return result
  }

  private func reaches(_ slot: WaveSlot, _ path: WavePath) -> Bool { slots(path.root, path.names[...]).contains(slot) }

  /// Whether an observer is one of the key itself.
  private func isDirect(_ slot: WaveSlot, _ path: WavePath) -> Bool { path.names.last == slot.key }

  private func observer(_ id: Int) -> WaveStep.Observer? {
    if isLive[id], case .observer(let observer) = steps[id] { return observer }
    return nil
  }

  private func binding(_ id: Int) -> WaveStep.Binding? {
    if isLive[id], case .binding(let binding) = steps[id] { return binding }
    return nil
  }

  /// The stored property that a turn sets.
  private func receiver(_ turn: Turn) -> WaveSlot? {
    guard let binding = binding(turn.id) else { return nil }
    if !turn.isBack { return binding.target }
    return WaveSlot(object: binding.sources[0].root, key: binding.sources[0].names[0])
  }

  /// Returns the turn of a binding that a change of a property triggers.
  private func turn(_ id: Int, after slot: WaveSlot) -> Turn? {
    guard let binding = binding(id) else { return nil }
    if binding.sources.contains(where: { reaches(slot, $0) }) { return Turn(id: id, isBack: false) }
    return binding.isTwoWay && binding.target == slot ? Turn(id: id, isBack: true) : nil
  }

  /// Whether a binding would set what its own source depends on.
  func isCircle(_ binding: WaveStep.Binding) -> Bool { binding.sources.contains { reaches(binding.target, $0) } }

  // MARK: Actions

  func perform(_ action: WaveAction) {
    switch action {
    case .set(let slot, let value): change(slot, value, of: nil)
    case .end(let id): if id < isLive.count { isLive[id] = false }
    case .add(let step):
      steps.append(step)
      isLive.append(true)
      guard case .binding = step else { return }
      // What it sets begins a wave.
      let own = Wave(outer: wave)
      wave = own
      take(Turn(id: steps.count - 1, isBack: false))
      wave = own.outer
    }
  }

  private func notify(_ id: Int, old: Int?, new: Int?, isPrior: Bool = false) {
    guard let observer = observer(id) else { return }
    if !isPrior, observer.isDistinct, old == new { return }
    let (old, new) = (observer.wantsOld ? old : nil, observer.wantsNew && !isPrior ? new : nil)
    log.append("o\(id)\(isPrior ? " prior" : "") \(old.map(String.init) ?? "-") → \(new.map(String.init) ?? "-")")
    if !isPrior, let action = observer.action, hasActed.insert(id).inserted { perform(action) }
  }

  // MARK: Changes

  /// Makes a change: as part of a wave whose binding makes it, or else in a wave of its own (WAV.2).
  private func change(_ slot: WaveSlot, _ value: Int, of wave: Wave?, by writer: Int? = nil) {
    let own = wave?.isOrdered == true ? wave : nil
    // A binding whose source depends on its own target: whether it has another turn is not specified.
    if let writer, binding(writer)?.isTwoWay == false, turn(writer, after: slot) != nil { turnsLeft = -1 }
    var change = Change(slot: slot)
    change.reached = steps.indices.filter { id in
      id != writer && observer(id).map { reaches(slot, $0.path) } ?? (turn(id, after: slot) != nil)
    }
    for id in change.reached { readOld(id, &change, of: own) }
    for id in change.reached where observer(id)?.hasPrior == true {
      if let old = change.olds[id] { notify(id, old: old, new: nil, isPrior: true) }
    }
    for id in change.reached { change.turns[id] = turn(id, after: slot) }
    values[slot] = value
    if let own { return deliver(change, own, isFirst: false) }
    begin(change.reached.compactMap { change.turns[$0] }, slot) { [change] in deliver(change, $0, isFirst: true) }
  }

  private func readOld(_ id: Int, _ change: inout Change, of own: Wave?) {
    guard let path = observer(id)?.path else { return }
    if isDirect(change.slot, path) { return change.olds[id] = .some(value(path)) }
    if own?.open[id] != nil { return }
    change.olds[id] = takeOver(id, own == nil ? wave : own?.outer) ?? .some(value(path))
  }

  /// Returns the old value of a notification that a wave keeps, and lets the wave forget it (WAV.2).
  private func takeOver(_ id: Int, _ wave: Wave?) -> Int?? {
    var next = wave
    while let wave = next {
      if let kept = wave.open.removeValue(forKey: id) {
        wave.told.insert(id)
        return .some(kept.old)
      }
      next = wave.outer
    }
    return nil
  }

  private func deliver(_ change: Change, _ own: Wave, isFirst: Bool) {
    var news: [Int: Int?] = [:]
    for id in change.reached {
      guard let observer = observer(id), let old = change.olds[id] else { continue }
      if own.kept.contains(id), !isDirect(change.slot, observer.path) {
        own.open[id] = Kept(old: old, wasTold: own.told.contains(id))
      } else {
        news[id] = .some(value(observer.path))
      }
    }
    for id in change.reached {
      if let old = change.olds[id], let new = news[id] { notify(id, old: old, new: new) }
      guard let turn = change.turns[id], binding(id) != nil else { continue }
      if let other = busy[id] {
        if other.isBack != turn.isBack { corrected.insert(id) } else { pending[id] = turn }
      } else if isFirst, !own.behind.contains(turn) {
        take(turn)
      } else if !own.waiting.contains(where: { $0.turn == turn }) {
        own.waiting.append((turn, ranks[turn, default: 0]))
      }
    }
  }

  // MARK: Waves

  /// Begins a wave, and ends it: with the turns of the bindings that wait, and the kept notifications.
  private func begin(_ start: [Turn], _ slot: WaveSlot?, _ body: (Wave) -> Void) {
    let own = Wave(outer: wave)
    order(own, start, slot)
    wave = own
    body(own)
    while let next = own.waiting.indices.max(by: { own.waiting[$0].rank < own.waiting[$1].rank }) {
      let turn = own.waiting.remove(at: next).turn
      take(turn)
    }
    let open = own.open.sorted { $0.key < $1.key }
    let news = open.map { id, _ in observer(id).flatMap { value($0.path) } }
    for ((id, kept), new) in zip(open, news) where own.open.removeValue(forKey: id) != nil {
      if kept.wasTold, kept.old == new, let observer = observer(id), observer.wantsNew,
        observer.wantsOld || observer.isDistinct
      {
        continue
      }
      notify(id, old: kept.old, new: new)
    }
    wave = own.outer
  }

  /// Finds the ranks of the turns by the longest path over the matrix of which turn leads to which (WAV.3).
  private func order(_ wave: Wave, _ start: [Turn], _ slot: WaveSlot?) {
    let (turns, leads) = graph(from: start)
    var reach = leads
    for middle in turns.indices {
      for from in turns.indices where reach[from][middle] {
        for to in turns.indices where reach[middle][to] { reach[from][to] = true }
      }
    }
    var ranks = turns.map { _ in 0 }
    for _ in turns {
      for from in turns.indices {
        for to in turns.indices where reach[from][to] {
          ranks[from] = max(ranks[from], ranks[to] + (reach[to][from] ? 0 : 1))
        }
      }
    }
    for (turn, rank) in zip(turns, ranks) { self.ranks[turn] = rank }
    for to in turns.indices where turns.indices.contains(where: { leads[$0][to] && !reach[to][$0] }) {
      wave.behind.insert(turns[to])
    }
    let set = turns.compactMap { receiver($0) } + (slot.map { [$0] } ?? [])
    wave.kept = Set(
      steps.indices.filter { id in
        guard let path = observer(id)?.path else { return false }
        return set.count { reaches($0, path) && !isDirect($0, path) } > 1
      })
    wave.isOrdered = !wave.kept.isEmpty || leads.contains { $0.contains(true) }
  }

  /// Returns the turns of a wave, and which one leads to which.
  private func graph(from start: [Turn]) -> (turns: [Turn], leads: [[Bool]]) {
    var turns = start
    var followers: [Turn: Set<Turn>] = [:]
    var index = 0
    while index < turns.count {
      guard let slot = receiver(turns[index]) else { break }
      let found = steps.indices.compactMap { turn($0, after: slot) }.filter { $0.id != turns[index].id }
      followers[turns[index]] = Set(found)
      turns += found.filter { !turns.contains($0) }
      index += 1
    }
    return (turns, turns.map { from in turns.map { followers[from]?.contains($0) == true } })
  }

  /// Gives a binding its turn.
  private func take(_ turn: Turn) {
    if binding(turn.id) == nil { return }
    busy[turn.id] = turn
    transfer(turn)
    while let next = pending.removeValue(forKey: turn.id) {
      busy[turn.id] = next
      transfer(next)
    }
    busy[turn.id] = nil
  }

  /// Lets a binding read, and set if the value is another one (BND.3, BND.4).
  private func transfer(_ turn: Turn) {
    guard let binding = binding(turn.id), let slot = receiver(turn) else { return }
    turnsLeft -= 1
    if turnsLeft < 0 { return }
    let inputs = turn.isBack ? [value(binding.target.object, [binding.target.key])] : binding.sources.map { value($0) }
    if inputs.contains(nil) { return }
    let sum = inputs.compactMap { $0 }.reduce(0, +)
    if !binding.isTwoWay { log.append("b\(turn.id) of \(sum)") }
    let addend = turn.isBack ? -binding.addend : binding.addend
    let new = binding.isTwoWay ? sum + addend : binding.value(of: sum)
    corrected.remove(turn.id)
    if values[slot, default: 0] != new { change(slot, new, of: wave, by: turn.id) }
    guard corrected.remove(turn.id) != nil else { return }
    let other = Turn(id: turn.id, isBack: !turn.isBack)
    if turn.isBack {
      busy[turn.id] = other
      transfer(other)
    } else {
      pending[turn.id] = other
    }
  }
}
