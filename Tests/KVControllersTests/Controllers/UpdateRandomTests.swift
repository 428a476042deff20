import KVCore
import TestModels
import Testing

@testable import KVControllers

/// What a handler does at one of its calls.
private enum UpdateAction {
  case none, change, cancel(Int), register, killOwner(Int)

  /// The action of an observer at its n-th call: the same for the controller and for the model.
  init(_ seed: UInt64, _ id: Int, _ call: Int, _ count: Int) {
    var random = SplitMix64(seed: seed &+ UInt64(id * 1000 + call) &* 7919)
    switch random.below(9) {
    case 0, 1: self = .change
    case 2: self = .cancel(random.below(count))
    case 3: self = .register
    case 4: self = .killOwner(random.below(count))
    default: self = .none
    }
  }
}

/// An observer: a path, what it wants, and whether an owner decides its life.
private struct UpdateObserver {
  static let paths = [
    "a", "b", "items", "sum", "controller.a", "controller.items", "items.@count", "controller.sum",
    "controller.items.@count",
  ]
  let id: Int
  let path: String
  let options: KVObservingOptions
  let hasOwner: Bool
  var isActive = true

  init(_ id: Int, _ random: inout SplitMix64) {
    self.id = id
    path = Self.paths[random.below(Self.paths.count)]
    var options: KVObservingOptions = []
    if random.below(3) > 0 { options.insert(.old) }
    if random.below(3) > 0 { options.insert(.new) }
    if random.below(3) == 0 { options.insert(.prior) }
    self.options = options
    hasOwner = random.below(3) == 0
  }

  var key: String { path.hasPrefix("controller.") ? String(path.dropFirst(11)) : path }

  func value(_ state: NumberController.State) -> String {
    switch key {
    case "a": "\(state.numbers[0])"
    case "b": "\(state.numbers[1])"
    case "sum": "\(state.numbers[0] + state.numbers[1])"
    case "items": "\(state.items)"
    default: "\(state.items.count)"
    }
  }

  func isAffected(by edit: NumberEdit) -> Bool {
    switch key {
    case "a": edit.numbers[0] != nil
    case "b": edit.numbers[1] != nil
    case "sum": edit.numbers[0] != nil || edit.numbers[1] != nil
    default: !edit.removed.isEmpty || !edit.inserted.isEmpty
    }
  }
}

/// The state that both worlds have, and the actions of handlers.
private class UpdateWorld {
  let seed: UInt64
  var random: SplitMix64
  var observers: [UpdateObserver] = []
  var log: [String] = []
  var calls: [Int: Int] = [:]
  var depth = 0
  var state: NumberController.State { NumberController.State() }

  init(_ seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  func change(_ makeEdit: (NumberController.State) -> NumberEdit) {}
  func end(_ id: Int) { observers[id].isActive = false }
  func begin(_ observer: UpdateObserver) { observers.append(observer) }

  func step() { change { edit(&random, $0) } }
  func edit(_ random: inout SplitMix64, _ state: NumberController.State) -> NumberEdit {
    var edit = NumberEdit()
    for index in 0..<3 where random.below(2) == 0 { edit.numbers[index] = random.below(10) }
    let count = state.items.count
    edit.removed = (0..<count).filter { _ in random.below(3) == 0 }
    let inserted = random.below(3)
    let total = count - edit.removed.count + inserted
    edit.inserted = Array(Set((0..<inserted).map { _ in random.below(max(1, total)) })).sorted()
    if let last = edit.inserted.last, last >= count - edit.removed.count + edit.inserted.count { edit.inserted = [0] }
    return edit
  }

  func act(_ id: Int) {
    calls[id, default: 0] += 1
    guard depth < 3 else { return }
    switch UpdateAction(seed, id, calls[id, default: 0], observers.count) {
    case .none: break
    case .change:
      depth += 1
      var random = SplitMix64(seed: seed &+ UInt64(id * 31 + calls[id, default: 0]))
      change { edit(&random, $0) }
      depth -= 1
    case .cancel(let other): end(other)
    case .killOwner(let other): if observers[other].hasOwner { end(other) }
    case .register:
      if observers.count < 16 {
        var random = SplitMix64(seed: seed &+ UInt64(observers.count * 77))
        begin(UpdateObserver(observers.count, &random))
      }
    }
  }
}

/// The controller with real observers.
private final class RealUpdates: UpdateWorld {
  private final class Owner {}

  private let controller = NumberController()
  private let holder = ControllerHolder()
  private var tokens: [KVObservation] = []
  private var owners: [Int: Owner] = [:]

  override init(_ seed: UInt64) {
    super.init(seed)
    holder.controller = controller
  }

  override var state: NumberController.State { controller.state }
  override func change(_ makeEdit: (NumberController.State) -> NumberEdit) { controller.change(makeEdit) }
  override func end(_ id: Int) {
    super.end(id)
    if observers[id].hasOwner { owners[id] = nil } else { tokens[id].cancel() }
  }

  override func begin(_ observer: UpdateObserver) {
    super.begin(observer)
    let root: any KVObservable = observer.path == observer.key ? controller : holder
    let handler = { [unowned self] (change: KVChange) in
      let phase = change.isPrior ? "prior" : "change"
      let old = change.old.map { "\($0)" } ?? "-", new = change.new.map { "\($0)" } ?? "-"
      log.append("\(observer.id) \(observer.path) \(phase) \(change.kind) \(change.indexes ?? []) \(old) \(new)")
      act(observer.id)
    }
    do {
      if observer.hasOwner {
        let owner = Owner()
        owners[observer.id] = owner
        tokens.append(
          try root.observe(observer.path, options: observer.options, owner: owner) { _, change in handler(change) })
      } else {
        tokens.append(try root.observe(observer.path, options: observer.options, handler: handler))
      }
    } catch {
      Issue.record(error)
    }
  }
}

/// The rules as a program: who is notified of which record, in which order.
private final class NaiveUpdates: UpdateWorld {
  private var present = NumberController.State()
  private var running: Run?
  /// The numbers of calls of each handler that have not returned.
  private var called: [Int: Int] = [:]
  /// The observers whose owners were released while their handlers ran.
  private var dying: Set<Int> = []

  override var state: NumberController.State { present }

  /// An update: its records in groups.
  ///
  /// All but the last group are delivered before the change is complete.
  private final class Run {
    let edit: NumberEdit
    let audience: [UpdateObserver]
    let before: NumberController.State
    var group = 0
    var queue: [(id: Int, text: String)]?

    init(_ edit: NumberEdit, _ audience: [UpdateObserver], _ before: NumberController.State) {
      self.edit = edit
      self.audience = audience
      self.before = before
    }

    var isPair: Bool { !edit.removed.isEmpty && !edit.inserted.isEmpty }
    var between: NumberController.State { edit.applied(to: before, finally: false) }
    var after: NumberController.State { edit.applied(to: before, finally: true) }

    func setting(_ observer: UpdateObserver, isPrior: Bool) -> (id: Int, text: String) {
      let old = observer.options.contains(.old) ? observer.value(before) : "-"
      let new = observer.options.contains(.new) && !isPrior ? observer.value(after) : "-"
      return (observer.id, "\(isPrior ? "prior" : "change") setting [] \(old) \(new)")
    }

    func indexed(_ observer: UpdateObserver, isRemoval: Bool, isPrior: Bool) -> (id: Int, text: String) {
      let phase = isPrior ? "prior" : "change"
      if isRemoval {
        let old = observer.options.contains(.old) ? "\(before.items(at: edit.removed))" : "-"
        return (observer.id, "\(phase) removal \(edit.removed) \(old) -")
      }
      let new = observer.options.contains(.new) && !isPrior ? "\(after.items(at: edit.inserted))" : "-"
      return (observer.id, "\(phase) insertion \(edit.inserted) - \(new)")
    }

    func records(isPrior: Bool) -> [(id: Int, text: String)] {
      audience.filter { !isPrior || $0.options.contains(.prior) }.map { observer in
        guard observer.key == "items" else { return setting(observer, isPrior: isPrior) }
        let isRemoval = edit.inserted.isEmpty || isPrior && isPair
        return indexed(observer, isRemoval: isRemoval, isPrior: isPrior)
      }
    }

    /// The records of a group: prior, the removal of a pair, prior of its insertion, and all others.
    func records() -> [(id: Int, text: String)] {
      let direct = isPair ? audience.filter { $0.key == "items" } : []
      return switch group {
      case 0: records(isPrior: true)
      case 1: direct.map { indexed($0, isRemoval: true, isPrior: false) }
      case 2:
        direct.filter { $0.options.contains(.prior) }.map { indexed($0, isRemoval: false, isPrior: true) }
      default: records(isPrior: false)
      }
    }
  }

  override func change(_ makeEdit: (NumberController.State) -> NumberEdit) {
    if let running, running.group < 3 { finish(running) }
    let edit = makeEdit(present)
    let run = Run(edit, observers.filter { $0.isActive && $0.isAffected(by: edit) }, present)
    running = run
    finish(run)
  }

  private func finish(_ run: Run) {
    while run.group < 3 {
      if run.queue == nil {
        if run.group == 1, run.isPair { present = run.between }
        run.queue = run.records()
      }
      guard let next = run.queue?.first else {
        run.queue = nil
        run.group += 1
        continue
      }
      run.queue?.removeFirst()
      deliver(next)
    }
    guard run.group == 3 else { return }
    run.group = 4
    present = run.after
    for record in run.records() { deliver(record) }
  }

  private func deliver(_ record: (id: Int, text: String)) {
    guard observers[record.id].isActive else { return }
    log.append("\(record.id) \(observers[record.id].path) \(record.text)")
    called[record.id, default: 0] += 1
    act(record.id)
    called[record.id, default: 0] -= 1
    if called[record.id] == 0, dying.remove(record.id) != nil { super.end(record.id) }
  }

  /// An owner is retained while its handler runs.
  override func end(_ id: Int) {
    if observers[id].hasOwner, called[id, default: 0] > 0 { dying.insert(id) } else { super.end(id) }
  }
}

@Suite("CTR random updates against a model")
struct UpdateRandomTests {
  @Test("CTR.6, CTR.7, CTR.8, CTR.10, CTR.11: any updates notify as the rules say", arguments: 0..<20)
  func randomUpdates(_ part: UInt64) {
    for seed in part * 25..<part * 25 + UInt64(Extent.rounds(6, of: 25)) {
      let (real, naive) = (RealUpdates(seed), NaiveUpdates(seed))
      for world in [real, naive] as [UpdateWorld] {
        for id in 0..<8 { world.begin(UpdateObserver(id, &world.random)) }
      }
      for step in 0..<30 {
        real.step()
        naive.step()
        guard real.log == naive.log, real.state == naive.state else {
          let difference = zip(real.log, naive.log).first { $0 != $1 }
          Issue.record(
            "seed \(seed), step \(step): \(difference ?? ("\(real.log.suffix(3))", "\(naive.log.suffix(3))"))")
          return
        }
        (real.log, naive.log) = ([], [])
      }
    }
  }
}
