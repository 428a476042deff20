import KVCore
import Synchronization

/// The observers that a change notifies, in their order, and the values that are read for that.
///
/// A ``PlanBuilder`` makes it, and a ``ChangeRun`` makes a change by it. The list of a key keeps its plan (``ListPlans``).
/// It retains registrations, and none of the objects.
final class ChangePlan: @unchecked Sendable {  // guard: constant
  /// The notification of one registration.
  struct Step {
    /// The registration, which the plan retains.
    let reference: _KVReference<Registration>
    var registration: Registration { reference.object }
    /// The index of the values that it is notified of.
    let reading: Int
    /// Whether the key that changes is the last component of the registration's path, or stands for the rest of it.
    let isLeaf: Bool
    /// Whether the key is the one that is being set, and none that depends on it.
    let isOfChangedKey: Bool
    /// Whether it is notified of the change of the collection whose elements it follows.
    let isOfElements: Bool
    /// Whether no value may be read, since the path may lead through a property that is being set; see
    /// ``PathChain/DeallocationEffect``.
    var isUnreadable = false

    var wantsPrior: Bool { reference.borrow { $0.options.contains(.prior) } }
    var order: UInt32 { reference.borrow { $0.order } }
    /// Whether it receives the change of the key as it is: no path leads on from it, and no key depends on it.
    var isDirect: Bool { isLeaf && isOfChangedKey && !isOfElements }
  }

  /// A value that is read before and after the change, for one or more steps.
  struct Reading {
    /// The index of the object in ``ChangePlan/objects``; negative for the object of the change.
    let object: Int
    /// The key of the object that changes.
    let key: InternedKey
    /// The first registration that wants the value, and the component of its path that changes.
    let reference: _KVReference<Registration>
    var registration: Registration { reference.object }
    let depth: Int
    /// Whether that is the last component.
    let isLast: Bool
    /// Whether a policy may refuse the value.
    let isLimited: Bool

    /// Returns whether another registration reads the same value.
    func isShared(by other: Registration, _ object: Int, _ depth: Int, isLast: Bool) -> Bool {
      guard self.object == object, self.isLast == isLast, self.depth == depth || isLast else { return false }
      guard isLast else { return registration.path.isSame(as: other.path) }
      return registration.path.last == other.path.last && registration.path.hasSamePolicy(as: other.path)
    }
  }

  /// A registration of elements, which follows the change after it.
  struct Following {
    let registration: Registration
    let tracker: ElementTracker
    /// The key that changes.
    let key: InternedKey
    /// Whether it follows by the notice.
    let isIncremental: Bool
  }

  /// The parts that a builder collects.
  struct Parts {
    /// In the order of registration (KVO.6).
    var steps: ContiguousArray<Step> = []
    /// The registrations of the steps: counting them in each step would cost more than a delivery.
    var registrations: ContiguousArray<Registration> = []
    var readings: ContiguousArray<Reading> = []
    var objects: ContiguousArray<WeakReference<AnyObject>> = []
    /// The links behind which paths are resolved again, and the indexes of their objects.
    var links: ContiguousArray<(link: PathLink, object: Int)> = []
    var followings: ContiguousArray<Following> = []
    var dependents: ContiguousArray<DependentKey> = []
    /// The registrations that count their changes.
    var counting: ContiguousArray<Registration> = []
    /// The number of keys that depend on the one that is being set.
    var memberCount = 0
    var hasPrior = false
    var hasBindings = false
    /// Whether the list of the key may keep the plan: nothing but the entries of lists has decided on it.
    var canBeCached = true
  }

  /// The plan of a run that has no use.
  static let none = ChangePlan(Parts(), PlanValidity())

  let steps: ContiguousArray<Step>
  private let registrations: ContiguousArray<Registration>
  let readings: ContiguousArray<Reading>
  let objects: ContiguousArray<WeakReference<AnyObject>>
  let links: ContiguousArray<(link: PathLink, object: Int)>
  let followings: ContiguousArray<Following>
  let dependents: ContiguousArray<DependentKey>
  let counting: ContiguousArray<Registration>
  let hasDependents: Bool
  let hasPrior: Bool
  let hasBindings: Bool
  let canBeCached: Bool
  let validity: PlanValidity

  init(_ parts: Parts, _ validity: PlanValidity) {
    (steps, registrations, readings) = (parts.steps, parts.registrations, parts.readings)
    (objects, links, followings) = (parts.objects, parts.links, parts.followings)
    (dependents, counting, hasDependents) = (parts.dependents, parts.counting, parts.memberCount > 0)
    (hasPrior, hasBindings, canBeCached) = (parts.hasPrior, parts.hasBindings, parts.canBeCached)
    self.validity = validity
  }

  var isStale: Bool { validity.isStale.load(ordering: .acquiring) }

  /// Calls a function with each registration that the change notifies, but for recorders and those that follow elements.
  ///
  /// Another thread may make the lists release the plan meanwhile, which retains the registrations.
  ///
  /// - Parameter body: A function of the registration, and whether the change reaches it by the last component alone.
  func forEachNotified(_ body: (Registration, _ isDirect: Bool) -> Void) {
    for step in steps where !step.isOfElements && !step.registration.kind.isRecorder {
      body(step.registration, step.isDirect)
    }
    extendLifetime(self)
  }

  /// Returns the index of the step of a registration; nil if it has none.
  func index(of registration: Registration) -> Int? {
    let first = steps.firstIndex(notBefore: registration.order) { $0.order }
    // Recorders have the same number.
    return steps[first...].prefix { $0.order == registration.order }.firstIndex { $0.registration === registration }
  }
}

/// Whether a plan is still the one that a builder would make: the lists know it from the moment at which they are read.
final class PlanValidity: @unchecked Sendable {  // guard: `isStale` is atomic
  /// Whether an entry was added or removed since the plan was begun.
  let isStale = Atomic<Bool>(false)
  /// The list that may keep the plan, or the registrar for a plan of several keys; nil if nobody does.
  private let keeper: (registrar: WeakReference<ObserverRegistrar>, key: InternedKey?)?

  init(_ keeper: (registrar: WeakReference<ObserverRegistrar>, key: InternedKey?)? = nil) { self.keeper = keeper }

  /// Ends the use of the plan by further changes.
  func end() { isStale.store(true, ordering: .releasing) }

  /// Lets the list or the registrar that keeps the plan release it; called outside of locks.
  func releasePlan() {
    guard let keeper, let registrar = keeper.registrar.object else { return }
    if let key = keeper.key { registrar.releasePlan(of: key, self) } else { registrar.releasePlanOfUpdate(self) }
  }
}

/// The plans that an entry more or less in the list of a key ends.
final class ListPlans {  // guard: the lock of the list's registrar
  /// The plan of the key.
  #if compiler(>=6.2)
    @safe
  #endif
  @exclusivity(unchecked) var own: ChangePlan?
  /// The order of the wave that a change of the key begins, and the version at which it was found.
  var order: (found: WaveOrder?, version: UInt64) = (nil, 0)
  /// The plans of keys that the key depends on, and those that no list keeps.
  private var others: ContiguousArray<WeakReference<PlanValidity>> = []

  func add(_ validity: PlanValidity) {
    // Those that have ended are removed when their number may have doubled.
    if others.count >= 8, others.count & (others.count - 1) == 0 { others.removeAll { $0.object == nil } }
    others.append(WeakReference(validity))
  }

  /// Ends all plans, under the lock: who adds an entry next must find none that lacks it.
  func end() {
    own?.validity.end()
    for validity in others { validity.object?.end() }
  }

  /// Lets the lists of the plans release them; called outside of locks.
  func release() { for validity in others { validity.object?.releasePlan() } }
}
