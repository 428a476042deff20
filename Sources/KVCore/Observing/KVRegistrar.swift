import Synchronization

/// What an observable object tells of its changes; the hook between a model and those who listen to it.
///
/// An object has none until somebody observes it, and pays nothing then but the test for it. KVBinding installs a
/// subclass, which keeps the listeners. A change is told twice, before and after it, in one form for all kinds
/// (``KVChangeNotice``): settings, to-many changes, and changes told by hand.
///
/// The mask of observed keys is safe from any thread. The two notifications come on the thread that makes the change;
/// brackets belong to the object's isolation domain, as its values do.
open class KVRegistrar: @unchecked Sendable {  // guard: `mask` is atomic; `brackets` belongs to the object's domain
  private let mask = Atomic<UInt64>(0)
  private var brackets: [KVKey: Int] = [:]

  /// Makes a registrar that nobody listens to.
  public init() {}

  /// Says which keys are observed; from then on changes of these keys are told, and perhaps of others.
  ///
  /// - Parameter keys: All keys that anybody observes.
  /// - Complexity: O(*n*) in the number of keys.
  public final func setObservedKeys(_ keys: some Sequence<KVKey>) {
    mask.store(keys.reduce(0) { $0 | $1.bit }, ordering: .releasing)
  }

  /// Whether anybody may be observing a key: false is certain, true is not.
  ///
  /// One bit stands for one key in 64, so that the test costs one load.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether a change of the key has to be told.
  public final func mayObserve(_ key: KVKey) -> Bool { mask.load(ordering: .acquiring) & key.bit != 0 }

  /// Called before a change of a key that may be observed.
  ///
  /// Does nothing by itself.
  ///
  /// - Parameter change: What is about to happen; valid during the call.
  open func willChange(_ change: borrowing KVChangeNotice) {}

  /// Called after a change of a key that may be observed.
  ///
  /// Does nothing by itself.
  ///
  /// - Parameter change: What has happened; valid during the call.
  open func didChange(_ change: borrowing KVChangeNotice) {}

  /// Tells of a change around a body that makes it.
  ///
  /// What the property's own setter tells of the key meanwhile is dropped: the change is told once, by the kind that
  /// the caller knows.
  ///
  /// - Parameters:
  ///   - change: What is about to happen. Its addresses must stay valid until the body has returned.
  ///   - body: Makes the change. It is called once, observed or not.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws. The end is told then, too, since something may have changed.
  public final func bracket<Result, Failure: Error>(
    _ change: borrowing KVChangeNotice, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard mayObserve(change.key) else { return try body() }
    willChange(change)
    defer { didChange(change) }
    return try holding(change.key, body)
  }

  /// Runs a body, and drops what the property's own setter tells of a key meanwhile.
  final func holding<Result, Failure: Error>(
    _ key: KVKey, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    brackets[key, default: 0] += 1
    defer { if let count = brackets[key] { brackets[key] = count > 1 ? count - 1 : nil } }
    return try body()
  }

  /// Whether a change of the key is to be told by the property that makes it.
  final func tells(_ key: KVKey) -> Bool {
    mayObserve(key) && (brackets.isEmpty || brackets[key] == nil)
  }
}
