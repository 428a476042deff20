import KVCore

/// One change, which is made by a ``ChangePlan``: from its begin to its end.
///
/// It is of a key, of several keys that change together, or the deallocation of an object. Before the change it reads all
/// old values, and then delivers the `prior` records. After the change it resolves the affected paths again, and reads
/// all new values. Then it delivers the records. No handler therefore sees values of which only some are updated, and
/// each registration is notified once (DEP.2). A change by a handler is delivered completely before the delivery goes on
/// (KVO.8).
///
/// A run that has ended is used for another change of its thread.
final class ChangeRun {
  /// The values read of one object before and after the change.
  struct Values {
    var isOldRead = false
    var isNewRead = false
    var old: Any?
    var new: Any?
    /// Whether a policy refuses the old value, or the new one.
    var isOldRefused = false
    var isNewRefused = false
  }

  /// The work of one change for a step.
  struct StepState: OptionSet {
    let rawValue: UInt8

    /// Another change delivers the notification, or nobody has to know.
    static let skipped = StepState(rawValue: 1)
    /// The values are read, instead of taken from the notice.
    static let read = StepState(rawValue: 2)
    /// The collection before the change is not read.
    static let omitsOld = StepState(rawValue: 4)
    /// A change inside would have notified the registration.
    static let needed = StepState(rawValue: 8)
    /// The wave keeps the notification.
    static let kept = StepState(rawValue: 16)
  }

  /// The change that the run makes.
  struct State: ~Copyable {
    var plan = ChangePlan.none
    /// The door, while the change is open; a run may be part of another one.
    var open: OpenChange?
    /// The object of the change, which its caller retains.
    var object: _KVReference<AnyObject>?
    /// The changes of keys that change together; empty if one key is set, or if an object has ended.
    var changes: [KeyChange] = []
    /// The other objects of the plan; nil for those that have ended.
    var objects = ReusedMemory<AnyObject?>()
    var values = ReusedMemory<Values>()
    var states = ReusedMemory<StepState>()
    /// How many changes each tracker of elements had followed before.
    var followed = ReusedMemory<Int>()
    var isCounting = false
    var isEnclosing = false
    var isOfDeallocation = false
    /// Whether the change is the write of the binding that has its turn.
    var isWriteOfBinding = false
    /// The old values of notifications that another wave has kept.
    var inheritedOldValues: [Int: Any?] = [:]
    /// The values of kept paths after the wave.
    var keptValues: [Int: Any?] = [:]
  }

  /// At an address, since each access of a property of an object would be checked for exclusivity: a half of the time.
  let state: AddressOf<State>
  /// The plan, which is not retained for each use.
  var plan: ChangePlan {
    @inline(__always) _read { yield state.pointee.plan }
  }
  var changes: [KeyChange] { state.pointee.changes }
  var object: _KVReference<AnyObject>? { state.pointee.object }

  private init() {
    state = .allocate(capacity: 1)
    state.initialize(to: State())
  }

  deinit {
    if state.pointee.isEnclosing { stopEnclosing() }
    if state.pointee.isCounting { endCounting() }
    state.deinitialize(count: 1)
    state.deallocate()
  }

  // MARK: Use

  /// Returns a run for a plan.
  static func make(_ plan: ChangePlan, _ open: consuming OpenChange? = nil) -> ChangeRun {
    let run = ThreadDeliveries.current.borrow { $0.state.pointee.spareRuns.popLast() } ?? ChangeRun()
    run.state.pointee.plan = plan
    run.state.pointee.open = open
    return run
  }

  /// Ends the use of the run: closes the door, releases the values, and lets another change use the run.
  func close() {
    state.pointee.open = nil
    state.pointee.object = nil
    (state.pointee.isOfDeallocation, state.pointee.isWriteOfBinding) = (false, false)
    if !state.pointee.inheritedOldValues.isEmpty { state.pointee.inheritedOldValues = [:] }
    if !state.pointee.keptValues.isEmpty { state.pointee.keptValues = [:] }
    // It retains registrations, which may be cancelled from now on.
    state.pointee.plan = .none
    if !state.pointee.changes.isEmpty { state.pointee.changes = [] }
    state.pointee.values.removeAll()
    state.pointee.objects.removeAll()
    state.pointee.states.removeAll()
    state.pointee.followed.removeAll()
    ThreadDeliveries.current.borrow { deliveries in
      if deliveries.state.pointee.spareRuns.count < 16 { deliveries.state.pointee.spareRuns.append(self) }
    }
  }

  // MARK: Changes by hand

  /// Lets the program make the change; see ``OpenChange/pause()``.
  func pause() { state.pointee.open?.pause() }

  /// Goes on with a change that the program has made; false if there is no room for the delivery.
  func resume(_ key: InternedKey, _ registrar: ObserverRegistrar) -> Bool {
    state.pointee.open?.resume(key, registrar) == true
  }

  // MARK: Before the change

  /// Begins the change of a key: reads the old values, and delivers the `prior` records.
  ///
  /// - Parameter isManual: Whether the change may never end, so that it takes kept notifications over at its end only.
  func begin(_ notice: borrowing _KVChangeNotice, isManual: Bool = false) {
    state.pointee.object = notice.reference
    prepare()
    // The values of an overridden property are those that the object returns.
    let hasValues = notice.kind != .setting || state.pointee.open?.list?.borrow { $0.mayBeOverridden } == false
    let hasOld = hasValues && (notice.hasOldValue || notice.kind != .setting)
    let hasNew = hasValues && notice.hasNewValue
    let thread = ThreadDeliveries.current.borrow { $0.state }
    state.pointee.isWriteOfBinding = ThreadDeliveries.takesExpected(notice.key, notice.reference.identity, thread)
    let (wave, isEnclosed) = (thread.pointee.wave, !thread.pointee.enclosing.isEmpty)
    let plan = plan
    let checksEnclosing = plan.hasDependents && isEnclosed
    for index in plan.steps.indices {
      if checksEnclosing, self.isEnclosed(index) { continue }
      if let wave, !isManual, isKept(index, in: wave.object) { continue }
      decide(index, notice.kind, hasOld: hasOld, hasNew: hasNew)
    }
    guard plan.hasPrior else { return }
    let prior = notice.copy(for: .prior)
    for index in plan.steps.indices where isActive(index) && plan.steps[index].wantsPrior { deliver(index, prior) }
  }

  /// Begins a change of several keys, and delivers nothing.
  ///
  /// - Parameters:
  ///   - changes: The changes of the keys.
  ///   - object: The object of the change, which the caller retains.
  ///   - checksEnclosing: Whether the change leaves out what another one of the thread delivers.
  ///   - isPart: Whether it is part of another run, which counts and follows the change.
  ///   - isWriteOfBinding: Whether it is the write of the binding that has its turn.
  ///   - isIncluded: Returns whether a step takes part; see ``include(where:)``.
  func begin(
    _ changes: [KeyChange], of object: AnyObject, checksEnclosing: Bool, isPart: Bool = false,
    isWriteOfBinding: Bool = false,
    where isIncluded: (ChangePlan.Step) -> Bool = { _ in true }
  ) {
    (state.pointee.object, state.pointee.changes) = (_KVReference(object), changes)
    state.pointee.isWriteOfBinding = isWriteOfBinding
    prepare(counting: !isPart)
    let thread = ThreadDeliveries.current.borrow { $0.state }
    let checksEnclosing = checksEnclosing && !thread.pointee.enclosing.isEmpty
    for index in plan.steps.indices {
      if !isIncluded(plan.steps[index]) || checksEnclosing && isEnclosed(index) {
        mark(index, .skipped)
      } else if let wave = thread.pointee.wave, isKept(index, in: wave.object) {
        continue
      } else {
        decide(index)
      }
    }
  }

  /// Lets the steps that pass a test take part, which did not so far; returns them.
  func include(where isIncluded: (ChangePlan.Step) -> Bool) -> [Int] {
    plan.steps.indices.filter { index in
      guard !isActive(index), isIncluded(plan.steps[index]) else { return false }
      state.pointee.states[index].pointee = state.pointee.states[index].pointee.subtracting(.skipped)
      decide(index)
      return true
    }
  }

  /// Leaves out the steps that pass a test.
  func skip(where isLeftOut: (Int) -> Bool) {
    for index in plan.steps.indices where isActive(index) && isLeftOut(index) {
      mark(index, .skipped)
    }
  }

  /// Begins a deallocation, before which nothing can be read.
  func beginDeallocation() {
    state.pointee.isOfDeallocation = true
    prepare()
    let wave = ThreadDeliveries.current.borrow { $0.state.pointee.wave }
    for index in plan.steps.indices {
      mark(index, .read)
      if let wave { _ = isKept(index, in: wave.object) }
    }
  }

  private func prepare(counting: Bool = true) {
    let plan = plan
    state.pointee.objects.make(plan.objects.count) { plan.objects[$0].object }
    state.pointee.values.make(plan.readings.count) { _ in Values() }
    state.pointee.states.make(plan.steps.count) { _ in [] }
    state.pointee.followed.make(plan.followings.count) { plan.followings[$0].tracker.changes }
    if counting { beginCounting() }
    // An update of a controller notifies of its selection itself.
    if state.pointee.changes.isEmpty {
      for dependent in plan.dependents where dependent.isResolved { dependent.willNotify() }
    }
  }

  /// Decides what a step of a key that changes with others has to do.
  private func decide(_ index: Int) {
    let change = changes.first { $0.key == plan.readings[plan.steps[index].reading].key }
    let kind = plan.steps[index].isOfChangedKey ? change?.kind ?? .setting : .setting
    decide(index, kind, hasOld: kind != .setting, hasNew: false)
    guard plan.steps[index].isDirect, let change, change.kind == .setting, let old = change.old else { return }
    let values = state.pointee.values[plan.steps[index].reading]
    if values.pointee.isOldRead { values.pointee.old = old }
  }

  /// Decides what a step has to do, and reads the old value if that is wanted.
  private func decide(_ index: Int, _ kind: KVChange.Kind, hasOld: Bool, hasNew: Bool) {
    let step = plan.steps[index]
    if step.isOfElements { return }
    step.reference.borrow { registration in
      let takesNotice = step.isDirect && (hasOld || hasNew && !registration.needsOldValue)
      let isReportedAsSetting =
        takesNotice && kind != .setting && registration.kindsReportedAsSetting.contains(PartialKinds(kind))
      if takesNotice, !isReportedAsSetting { return }
      let omitsOld = isReportedAsSetting && !registration.includesOldCollection
      mark(index, omitsOld ? [.read, .omitsOld] : .read)
      if !omitsOld, registration.needsOldValue { readOld(step.reading) }
    }
  }

  private func readOld(_ reading: Int) {
    if state.pointee.values[reading].pointee.isOldRead { return }
    state.pointee.values[reading].pointee.isOldRead = true
    if plan.readings[reading].isLimited { return readLimited(reading, isOld: true) }
    let old = read(reading)
    state.pointee.values[reading].pointee.old = old
  }

  /// Returns the present value of a reading; nil if its object has ended.
  private func read(_ index: Int) -> Any? {
    let reading = plan.readings[index]
    return object(at: reading.object)?.borrow { object in
      reading.reference.borrow { $0.value(of: object, from: reading.depth) }
    }
  }

  /// Reads the value of a path with a policy, which may refuse it.
  private func readLimited(_ index: Int, isOld: Bool) {
    let (reading, values) = (plan.readings[index], state.pointee.values[index])
    guard let object = object(at: reading.object)?.object else { return }
    // What cannot be read was reported when it became so.
    let reports = !isOld && !values.pointee.isOldRefused
    let (value, isRefused) = reading.registration.limitedValue(of: object, from: reading.depth, reports: reports)
    if isOld {
      (values.pointee.old, values.pointee.isOldRefused) = (value, isRefused)
    } else {
      (values.pointee.new, values.pointee.isNewRefused) = (value, isRefused)
    }
  }

  /// Returns whether a policy refuses the notification of a step (SEC.2).
  ///
  /// That of a refused value is refused, unless it withdraws one that was permitted. A binding is notified of it nevertheless,
  /// since it fails then.
  func isRefused(_ index: Int, _ phase: _KVChangeNotice.Phase) -> Bool {
    let step = plan.steps[index]
    guard plan.readings[step.reading].isLimited else { return false }
    let values = state.pointee.values[step.reading]
    let inherited = state.pointee.inheritedOldValues[index]
    if inherited == nil, values.pointee.isOldRefused { return values.pointee.isNewRefused || phase == .prior }
    guard values.pointee.isNewRefused, !step.reference.borrow({ $0.isOfBinding }) else { return false }
    let old = inherited ?? values.pointee.old
    return old == nil || old as? KVSelectionMarker == .noSelection
  }

  /// Returns the object at a place of the plan; nil if it has ended.
  func object(at objectIndex: Int) -> _KVReference<AnyObject>? {
    objectIndex < 0 ? object : state.pointee.objects[objectIndex].pointee.map { _KVReference($0) }
  }

  /// Adds to the state of a step: an assignment, since Swift 6.3 crashes in a method that mutates it under the thread sanitizer.
  func mark(_ index: Int, _ flags: StepState) {
    state.pointee.states[index].pointee = state.pointee.states[index].pointee.union(flags)
  }

  func isActive(_ index: Int) -> Bool { !state.pointee.states[index].pointee.contains(.skipped) }

  // MARK: Counting

  /// Records for objects that end from now on that the change is being made (LIF.3).
  private func beginCounting() {
    state.pointee.isCounting = true
    for (link, _) in plan.links { link.changes.begin() }
    for registration in plan.counting { registration.changes.begin() }
    for dependent in plan.dependents { dependent.changes.begin() }
  }

  /// Records that the change is made, as far as objects that end from now on are concerned.
  private func endCounting() {
    state.pointee.isCounting = false
    for (link, _) in plan.links { link.changes.end() }
    for registration in plan.counting { registration.changes.end() }
    for dependent in plan.dependents { dependent.changes.end() }
  }

  // MARK: Enclosing changes

  /// Records that a setter makes the change: it encloses changes on this thread until ``stopEnclosing()``.
  ///
  /// - Parameter always: Whether the change encloses others though no dependent key is observed: its key depends on others,
  ///   or it consists of changes of other objects.
  func enclose(always: Bool) {
    guard plan.hasDependents || always else { return }
    state.pointee.isEnclosing = true
    ThreadDeliveries.current.borrow { $0.state.pointee.enclosing.append(_KVReference(self)) }
  }

  /// Records that the change was made.
  private func stopEnclosing() {
    state.pointee.isEnclosing = false
    let identity = _KVReference(self).identity
    ThreadDeliveries.current.borrow { deliveries in
      guard let index = deliveries.state.pointee.enclosing.lastIndex(where: { $0.identity == identity }) else { return }
      deliveries.state.pointee.enclosing.remove(at: index)
    }
  }

  /// Returns whether an enclosing change of the thread delivers a notification; it is skipped then.
  ///
  /// A registration is notified of both changes if it observes both keys: a setter that sets its own key makes two
  /// changes (KVO.14).
  private func isEnclosed(_ index: Int) -> Bool {
    let step = plan.steps[index]
    let isEnclosed = ThreadDeliveries.current.borrow { deliveries in
      deliveries.state.pointee.enclosing.contains { $0.borrow { $0.encloses(step) } }
    }
    if isEnclosed { mark(index, .skipped) }
    return isEnclosed
  }

  private func encloses(_ step: ChangePlan.Step) -> Bool {
    guard let index = plan.index(of: step.registration), isActive(index),
      !state.pointee.changes.isEmpty || !(step.isOfChangedKey && plan.steps[index].isOfChangedKey)
    else { return false }
    mark(index, .needed)
    return true
  }

  /// Whether nobody has to know that the setter has failed: no observer ran before it, and it has changed nothing.
  var isAbandoned: Bool {
    guard state.pointee.open?.list?.borrow({ $0.onlyEncloses }) == true else { return false }
    return plan.steps.indices.allSatisfy { !isNeeded($0) }
  }

  /// Returns whether the change has enclosed another one that would have notified a registration.
  func isNeeded(_ index: Int) -> Bool { state.pointee.states[index].pointee.contains(.needed) }

  // MARK: After the change

  /// Ends the change of a key: follows it, reads the new values, and delivers the records.
  func finish(_ notice: borrowing _KVChangeNotice, _ registrar: ObserverRegistrar, isManual: Bool = false) {
    state.pointee.object = notice.reference
    follow { registrar.currentPlan(notice.key, of: notice.object) }
    if isManual, let wave = ThreadDeliveries.current.borrow({ $0.state.pointee.wave }) {
      for index in plan.steps.indices where isActive(index) { _ = self.isKept(index, in: wave.object) }
    }
    var isKept = false
    Wave.deliver(isWriteOfBinding: state.pointee.isWriteOfBinding, hasBindings: plan.hasBindings) {
      registrar.waveOrder(notice.key, of: notice.object, by: $0)
    } _: { wave in
      if let wave, wave.borrow({ $0.keeps }) { isKept = keep(in: wave.object) }
      readNew()
      followElements(notice)
      for index in plan.steps.indices where isActive(index) { deliver(index, notice) }
    }
    // The wave has closed the run.
    if !isKept { close() }
  }

  /// Ends a change of several keys, or a part of it, but for the delivery.
  ///
  /// - Parameters:
  ///   - isStale: Whether other keys are observed than at the begin.
  ///   - current: Returns a plan of the entries that there are now; see ``follow(isStale:by:)``.
  func finish(isStale: Bool = false, by current: () -> ChangePlan? = { nil }) {
    follow(isStale: isStale, by: current)
    readNew()
    followElements(of: changes)
  }

  /// Delivers the records of runs that are one change, in the order of registration.
  static func deliver(_ runs: [ChangeRun]) {
    if let run = runs.first, runs.count == 1 {
      for index in run.plan.steps.indices where run.isActive(index) { run.deliver(index, ofUpdate: .change) }
      return
    }
    let steps = runs.flatMap { run in run.plan.steps.indices.filter { run.isActive($0) }.map { (run, $0) } }
    for (run, index) in steps.ordered(by: { run, index in run.plan.steps[index].order }) {
      run.deliver(index, ofUpdate: .change)
    }
  }

  /// Resolves the affected paths again.
  ///
  /// - Parameters:
  ///   - isStale: Whether other keys are observed than at the begin.
  ///   - current: Returns a plan of the entries that there are now.
  func follow(isStale: Bool = false, by current: () -> ChangePlan?) {
    if state.pointee.isEnclosing { stopEnclosing() }
    if state.pointee.isCounting {
      endCounting()
      for (link, objectIndex) in plan.links { object(at: objectIndex)?.borrow { link.follow($0) } }
    }
    if isStale || plan.isStale, let current = current() { followNew(current) }
  }

  /// Reads the new values that are wanted.
  func readNew() {
    for index in plan.steps.indices where isActive(index) && state.pointee.states[index].pointee.contains(.read) {
      readNew(index)
    }
  }

  /// Reads the new value of a step, if it is wanted.
  func readNew(_ index: Int) {
    let step = plan.steps[index]
    guard !step.isUnreadable, !step.isOfElements, step.reference.borrow({ $0.wantsNew }) else { return }
    let values = state.pointee.values[step.reading]
    if values.pointee.isNewRead { return }
    values.pointee.isNewRead = true
    let known = step.isDirect ? changes.first { $0.key == plan.readings[step.reading].key }?.readNew : nil
    if known == nil, plan.readings[step.reading].isLimited { return readLimited(step.reading, isOld: false) }
    let new = if let known { known() } else { read(step.reading) }
    values.pointee.new = new
  }

  /// Lets the new values be read again for what its wave has kept.
  func forgetNew() {
    for reading in plan.readings.indices { state.pointee.values[reading].pointee.isNewRead = false }
  }

  /// Reads the value of a step that its wave has kept: from the root, since another key of the wave may have replaced an object
  /// on the path.
  func readDeferred(_ index: Int) {
    let step = plan.steps[index]
    if step.registration.isEnded { return }
    guard let root = step.registration.chain?.root else { return readNew(index) }
    if step.registration.wantsNew {
      let values = state.pointee.values[step.reading]
      if plan.readings[step.reading].isLimited {
        let reports = !values.pointee.isOldRefused
        let (new, isRefused) = step.registration.limitedValue(of: root, from: 0, reports: reports)
        (state.pointee.keptValues[index], values.pointee.isNewRefused) = (.some(new), isRefused)
      } else {
        state.pointee.keptValues[index] = .some(step.registration.value(of: root, from: 0))
      }
    }
  }
}
