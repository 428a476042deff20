import KVCore

/// An update: several keys of one object that change together, in one order of delivery (CTR.6–11).
package struct KeyUpdate {
  /// The changes, one for each key.
  package var changes: [KeyChange] = []
  /// Makes the changes; it calls no handler.
  package var apply: () -> Void
  /// The first changes of keys that notify twice: of a removal, then of an insertion, which is in ``changes``.
  package var first: [KeyChange] = []
  /// Makes the first changes; the object has its intermediate state then.
  package var applyFirst: () -> Void = {}

  package init(changes: [KeyChange] = [], apply: @escaping () -> Void) {
    (self.changes, self.apply) = (changes, apply)
  }
}

/// An object whose setters make updates, so that setting one key can change any of them.
package protocol Updating: AnyObject {}

/// The delivery of an update.
///
/// It consists of steps: (1) all old values are read; (2) the `prior` records are delivered; (3) the first changes are
/// made, and those that observe their keys directly are notified; (4) all other changes are made; (5) the observers of
/// all keys are notified in the order of registration.
///
/// A handler that changes the object in step 2 or 3 finds it in a state that is not its last one. Its change therefore
/// calls ``run()`` first, which delivers the rest of the update. Records by index follow each other as the changes do.
package final class UpdateDelivery {
  private enum Step {
    case prior, first, secondPrior, last, done
  }

  private let update: KeyUpdate
  private let object: AnyObject
  private let registrar: ObserverRegistrar
  /// The changing keys that are observed.
  private let keys: [InternedKey]
  /// All keys that are observed, if handlers of `prior` records may observe others, which the update does not name.
  private let keysBefore: [InternedKey]?
  /// The change of all keys, at first without the direct observers of keys that notify twice.
  private let all: ChangeRun
  /// The changes inside elements, which are part of the update.
  private let elements: [ChangeRun]
  /// The first changes of the keys that notify twice.
  private let first: ChangeRun?
  private var step = Step.prior
  private var queue: [(run: ChangeRun, index: Int)] = []
  private var position = 0
  /// The number of calls of ``run()`` that have not returned.
  private var depth = 0
  private var isClosed = false
  /// The runs with notifications that a wave keeps, which closes them.
  private var kept: [ChangeRun] = []
  /// Whether the update is the write of the binding that has its turn.
  private let isWriteOfBinding: Bool
  /// Called when all changes are made, before the observers are notified of the last ones.
  package var didApply: [() -> Void] = []

  /// Whether all changes are made.
  package var isComplete: Bool { step == .done }

  /// Begins the delivery, and reads all old values; nil if nobody observes the keys.
  ///
  /// - Parameters:
  ///   - update: The update.
  ///   - object: The object.
  ///   - elements: The changes inside elements; nil if there are none, or if nobody observes them.
  package init?(_ update: KeyUpdate, of object: some KVObservable, joining elements: ChangeOfElements? = nil) {
    guard let registrar = ObserverRegistrar.existing(of: object) else { return nil }
    let keys = update.changes.map(\.key).filter { registrar.hasEntries(of: $0) }
    let open =
      keys.isEmpty
      ? elements?.key.flatMap { OpenChange.ofDelivery($0, of: type(of: object), ObjectIdentifier(object)) }
      : OpenChange.of(keys, in: registrar)
    guard let open = consume open else {
      elements?.close()
      return nil
    }
    (self.update, self.object, self.registrar, self.keys) = (update, object, registrar, keys)
    let address = _KVReference(object).identity
    let thread = ThreadDeliveries.current.borrow { $0.state }
    isWriteOfBinding = update.changes.contains { ThreadDeliveries.takesExpected($0.key, address, thread) }
    let plan = elements?.builder.plan(keys, of: object, registrar) ?? registrar.plan(keys, of: object)
    keysBefore = plan.hasPrior ? registrar.keysWithEntries : nil
    all = .make(plan, open)
    self.elements = elements?.runs ?? []
    let twice = update.first
    func notifiesTwice(_ step: ChangePlan.Step) -> Bool {
      step.isDirect && twice.contains { $0.key == plan.readings[step.reading].key }
    }
    let checksEnclosing = plan.hasDependents || elements != nil
    all.begin(update.changes, of: object, checksEnclosing: checksEnclosing, isWriteOfBinding: isWriteOfBinding) {
      !notifiesTwice($0)
    }
    if plan.steps.contains(where: notifiesTwice) {
      first = .make(plan)
      first?.begin(
        twice, of: object, checksEnclosing: false, isPart: true, isWriteOfBinding: isWriteOfBinding,
        where: notifiesTwice)
    } else {
      first = nil
    }
    enqueue([all] + self.elements + [first].compactMap(\.self)) { $0.wantsPrior }
  }

  private func enqueue(_ runs: [ChangeRun], where isIncluded: (ChangePlan.Step) -> Bool) {
    let steps = runs.flatMap { run in
      run.plan.steps.indices.filter { run.isActive($0) && isIncluded(run.plan.steps[$0]) }.map { (run, $0) }
    }
    queue = steps.ordered { run, index in run.plan.steps[index].order }
    position = 0
  }

  /// Delivers the update, or the rest of it.
  package func run() {
    depth += 1
    defer {
      depth -= 1
      // A record that is being delivered uses the values.
      if depth == 0, step == .done, !isClosed { close() }
    }
    while step != .last, step != .done {
      if deliverNext() { continue }
      queue = []
      switch step {
      case .prior where first == nil && update.first.isEmpty, .secondPrior: step = .last
      case .prior:
        step = .first
        beginFirst()
      case .first:
        step = .secondPrior
        beginSecond()
      case .last, .done: break
      }
    }
    guard step == .last else { return }
    step = .done
    update.apply()
    for function in didApply { function() }
    for run in elements { run.finish() }
    let observed = keysBefore.map { _ in registrar.keysWithEntries }
    all.finish(isStale: observed != keysBefore) {
      observed == keysBefore
        ? registrar.plan(keys, of: object) : PlanBuilder.unkeptPlan(observed ?? keys, of: object, registrar)
    }
    let runs = [all] + elements
    Wave.deliver(isWriteOfBinding: isWriteOfBinding, hasBindings: runs.contains { $0.plan.hasBindings }) {
      WaveGraph.order(of: runs.map(\.plan), by: $0)
    } _: { wave in
      if let wave, wave.borrow({ $0.keeps }) { kept = runs.filter { $0.keep(in: wave.object) } }
      ChangeRun.deliver(runs)
    }
  }

  private func close() {
    isClosed = true
    for run in [first].compactMap(\.self) + elements + [all] where !kept.contains(where: { $0 === run }) { run.close() }
  }

  private func deliverNext() -> Bool {
    guard position < queue.count else { return false }
    let next = queue[position]
    position += 1
    next.run.deliver(next.index, ofUpdate: step == .first ? .change : .prior)
    return true
  }

  /// Makes the first changes.
  private func beginFirst() {
    update.applyFirst()
    guard let first else { return }
    first.readNew()
    all.followElements(of: first.changes, byIndexOnly: true)
    enqueue([first]) { _ in true }
  }

  /// Lets the direct observers of keys that notify twice join the change of all keys.
  private func beginSecond() {
    let joined = Set(
      all.include { step in step.isDirect && update.first.contains { $0.key == all.plan.readings[step.reading].key } })
    queue = joined.sorted().filter { all.plan.steps[$0].wantsPrior }.map { (all, $0) }
    position = 0
  }
}
