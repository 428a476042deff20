import KVCore

/// What one thread holds back between the begin and the commit of the outermost scope.
final class CoalescingScope {
  private static let perThread = ThreadLocal<CoalescingScope>()

  /// The scope of this thread.
  @inline(__always)
  static var current: CoalescingScope? { perThread.object }

  /// The same, not retained: it lasts until its last commit.
  @inline(__always)
  static var unmanaged: Unmanaged<CoalescingScope>? { perThread.unmanaged }

  private var depth = 1
  private var pending: [PendingRecord] = []
  private var places = Places()
  /// The observation that was added last, and its place: repeated changes of one key need no look-up.
  @exclusivity(unchecked) private var last: (observation: Observation, place: Place)?
  /// The latest value of that one, if it was set repeatedly: it is boxed when something else comes.
  @exclusivity(unchecked) private var latest: LatestValue?

  /// Keeps a value; a class, so that it stays while what it displaces dies and comes back here.
  private final class LatestValue {
    let value: HeldValue

    init?(_ notice: borrowing KVChangeNotice) {
      guard let value = HeldValue(notice) else { return nil }
      self.value = value
    }
  }

  /// Where the records of a registration are: in which record, and in which entry of that.
  fileprivate typealias Place = (record: Int, entry: Int)

  /// Where things are in what is held back.
  fileprivate struct Places {
    var records: [MergeKey: Int] = [:]
    /// Each registration has one root and one path, so one place.
    var observations: [ObjectIdentifier: Place] = [:]
  }

  /// Begins a scope, or goes one deeper.
  static func begin() {
    if let current { return current.depth += 1 }
    perThread.object = Unmanaged.passRetained(CoalescingScope()).takeUnretainedValue()
  }

  /// Ends a scope; with the outermost one, delivers what was held back.
  static func commit() {
    guard let scope = current else { return }
    scope.depth -= 1
    guard scope.depth == 0 else { return }
    scope.putLatest()
    // Over before anything is delivered, so that what handlers change is told at once (COA.5).
    perThread.object = nil
    var pending = scope.pending
    Unmanaged.passUnretained(scope).release()
    for index in pending.indices { pending[index].close() }
    for record in pending { record.deliver() }
  }

  /// What is held back at some moment.
  struct Snapshot {
    fileprivate let pending: [PendingRecord]
    fileprivate let places: Places
  }

  /// Returns what is held back so far.
  func snapshot() -> Snapshot {
    putLatest()
    return Snapshot(pending: pending, places: places)
  }

  /// Drops what was held back since a moment.
  func restore(_ snapshot: Snapshot) {
    // What is dropped dies after the scope is in order.
    let dropped = (pending, latest, last)
    pending = snapshot.pending
    places = snapshot.places
    last = nil
    latest = nil
    withExtendedLifetime(dropped) {}
  }

  /// Holds a record back, merged with what came before it (COA.3).
  ///
  /// - Returns: Whether it was; `prior` records cannot wait, nor can those of an object that is dying (COA.7).
  func add(_ observation: Observation, _ notice: borrowing KVChangeNotice, _ phase: Phase) -> Bool {
    if phase == .prior { return false }
    if last?.observation === observation {
      if notice.kind == .setting, let latest, latest.value.replace(from: notice) { return true }
    }
    return addElsewhere(observation, notice, phase)
  }

  @inline(never)
  private func addElsewhere(_ observation: Observation, _ notice: borrowing KVChangeNotice, _ phase: Phase) -> Bool {
    // What is displaced may run anything as it dies, even the last commit.
    let scope = Unmanaged.passUnretained(self).retain()
    defer { scope.release() }
    putLatest()
    if last?.observation === observation { return merge(observation, notice) }
    if let place = places.observations[ObjectIdentifier(observation)] {
      last = (observation, place)
      return merge(observation, notice)
    }
    guard let root = observation.livingRoot(notice) else { return false }
    let key = MergeKey(observation, root)
    let place: Place
    if let record = places.records[key], !pending[record].isOrphaned {
      place = (record, pending[record].add(observation, notice, phase))
    } else {
      place = (pending.count, 0)
      places.records[key] = place.record
      pending.append(PendingRecord(observation, root, notice, phase))
    }
    places.observations[ObjectIdentifier(observation)] = place
    last = (observation, place)
    return true
  }
}

extension CoalescingScope {
  /// Merges a change into what the observation that was added last has to hear.
  private func merge(_ observation: Observation, _ notice: borrowing KVChangeNotice) -> Bool {
    guard let place = last?.place else { return false }
    let displaced = pending[place.record].merge(notice, at: place.entry)
    if notice.kind == .setting, pending[place.record].endsInSetting(at: place.entry) { latest = LatestValue(notice) }
    // It may be the last reference, and run anything.
    withExtendedLifetime(displaced) {}
    return true
  }

  /// Puts the latest value where it belongs.
  private func putLatest() {
    guard let latest, let place = last?.place else { return }
    self.latest = nil
    let displaced = pending[place.record].setNew(latest.value.value, at: place.entry)
    withExtendedLifetime(displaced) {}
  }
}

/// What makes two deferred records one: the same action of a target, for the same object and path if it takes a record;
/// for anything else the same registration.
struct MergeKey: Hashable {
  private let receiver: ObjectIdentifier
  private let action: String?
  private let object: ObjectIdentifier?
  private let path: KVKeyPath?

  init(_ observation: Observation, _ root: AnyObject) {
    guard let target = observation as? OwnedObservation, let action = target.action else {
      receiver = ObjectIdentifier(observation)
      (action, object, path) = (nil, nil, nil)
      return
    }
    receiver = target.ownerID
    self.action = action
    object = target.wantsRecord ? ObjectIdentifier(root) : nil
    path = target.wantsRecord ? target.path : nil
  }
}
