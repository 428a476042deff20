import KVCore

/// What one thread holds back between the begin and the commit of the outermost scope.
final class CoalescingScope {
  private static let perThread = ThreadLocal<CoalescingScope>()

  /// The scope of this thread.
  @inline(__always)
  static var current: CoalescingScope? { perThread.object }

  private var depth = 1
  private var pending: [PendingRecord] = []
  private var places = Places()
  /// The observation that was added last, and its place: repeated changes of one key need no look-up.
  private var last: (observation: Observation, place: Place)?

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
  func snapshot() -> Snapshot { Snapshot(pending: pending, places: places) }

  /// Drops what was held back since a moment.
  func restore(_ snapshot: Snapshot) {
    pending = snapshot.pending
    places = snapshot.places
    last = nil
  }

  /// Holds a record back, merged with what came before it (COA.3).
  ///
  /// - Returns: Whether it was; `prior` records cannot wait, nor can those of an object that is dying (COA.7).
  func add(_ observation: Observation, _ notice: borrowing KVChangeNotice, _ phase: Phase) -> Bool {
    if phase == .prior { return false }
    if let last, last.observation === observation {
      pending[last.place.record].merge(notice, at: last.place.entry)
      return true
    }
    if let place = places.observations[ObjectIdentifier(observation)] {
      pending[place.record].merge(notice, at: place.entry)
      last = (observation, place)
      return true
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
