import KVCore
import Synchronization

/// Who is notified by a change, in which order, and which values are read for that.
///
/// A ``PlanBuilder`` makes it, and a ``ChangeRun`` makes a change by it. The list of a key keeps its plan (``ListPlans``).
/// It retains registrations, and none of the objects.
final class ChangePlan: @unchecked Sendable {  // guard: set by the builder; then `isStale` is atomic, the rest constant
  /// The notification of one registration.
  struct Step {
    let registration: Registration
    /// The index of the values that it is notified of.
    let reading: Int
    /// Whether the key that changes is the last component of the registration's path, or stands for the rest of it.
    let isLeaf: Bool
    /// Whether the key is the one that is being set, and none that depends on it.
    let isOfChangedKey: Bool
    /// Whether it is notified of the change of the collection whose elements it follows.
    let isFollower: Bool
    /// Whether no value may be read, since the path may lead through a property that is being set; see
    /// ``PathChain/DeallocationEffect``.
    var isUnreadable = false

    var wantsPrior: Bool { registration.options.contains(.prior) }
    /// Whether it receives the change of the key as it is: no path leads on from it, and no key depends on it.
    var isDirect: Bool { isLeaf && isOfChangedKey && !isFollower }
  }

  /// A value that is read before and after the change, for one or more steps.
  struct Reading {
    /// The index of the object in ``ChangePlan/objects``; negative for the object of the change.
    let object: Int
    /// The key of the object that changes.
    let key: KVKey
    /// The first registration that wants the value, and the component of its path that changes.
    let registration: Registration
    let depth: Int
    /// Whether that is the last component.
    let isLast: Bool

    /// Returns whether another registration reads the same value.
    func isShared(by other: Registration, _ object: Int, _ depth: Int, isLast: Bool) -> Bool {
      guard self.object == object, self.isLast == isLast, self.depth == depth || isLast else { return false }
      return isLast ? registration.path.last == other.path.last : registration.path.isSame(as: other.path)
    }
  }

  /// A registration of elements, which follows the change after it.
  struct Following {
    let registration: Registration
    let tracker: ElementTracker
    /// The key that changes.
    let key: KVKey
    /// Whether it follows by the notice.
    let isIncremental: Bool
  }

  /// The plan of a run that has no use.
  static let none = ChangePlan()

  /// In the order of registration (KVO.6).
  var steps: ContiguousArray<Step> = []
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
  /// Whether the list of the key may keep the plan: nothing but the entries of lists has decided on it.
  var canBeKept = true
  /// The list that keeps the plan; set by the registrar under its lock.
  var keeper: (registrar: WeakReference<ObserverRegistrar>, key: KVKey)?
  /// Whether an entry was added or removed since the plan was begun.
  let isStale = Atomic<Bool>(false)

  var hasDependents: Bool { memberCount > 0 }

  /// Ends the use of the plan by further changes; called outside of locks, since it may release the plan.
  func end() {
    if isStale.exchange(true, ordering: .acquiringAndReleasing) { return }
    if let keeper { keeper.registrar.object?.release(self, of: keeper.key) }
  }

  /// Returns the index of the step of a registration; nil if it has none.
  func index(of registration: Registration) -> Int? {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if RegistrationOrder.isEarlier(steps[middle].registration.order, than: registration.order) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    // Recorders have the same number.
    while low < steps.count, steps[low].registration.order == registration.order {
      if steps[low].registration === registration { return low }
      low += 1
    }
    return nil
  }
}

/// The plans that an entry more or less in the list of a key ends.
final class ListPlans {  // guard: the lock of the list's registrar
  /// The plan of the key.
  var own: ChangePlan?
  /// The plans of keys that the key depends on, and those that no list keeps.
  private var others: ContiguousArray<WeakReference<ChangePlan>> = []

  func add(_ plan: ChangePlan) {
    // Those that have ended are removed when their number may have doubled.
    if others.count >= 8, others.count & (others.count - 1) == 0 { others.removeAll { $0.object == nil } }
    others.append(WeakReference(plan))
  }

  /// Ends all plans; called outside of locks.
  func end() {
    own?.end()
    for plan in others { plan.object?.end() }
  }
}
