import KVCore

/// The changes of a key path as an asynchronous sequence (THR.4).
///
/// ```swift
/// for await change in try person.changes(of: "name", as: String.self) {
///   print(change.new ?? "nobody")
/// }
/// ```
///
/// The observation begins when the sequence is created, so no change before the first iteration is lost. It ends when
/// the object is deallocated, when the task is cancelled, or when the sequence is dropped. A sequence has one consumer.
/// A buffered record of the untyped form keeps its object alive; a typed record does not. The untyped form omits the
/// changes that an object makes in its `deinit`, since a record can no longer keep the object alive (LIF.1).
public struct KVChanges<Element>: AsyncSequence {
  /// The policy for changes that arrive faster than the consumer takes them.
  public enum Buffering: Sendable, Hashable {
    /// Keeps all changes, in order.
    case unbounded
    /// Keeps the given number of oldest changes and drops later ones.
    case oldest(Int)
    /// Keeps the given number of newest changes and drops earlier ones.
    case newest(Int)
  }

  /// The iterator of a sequence of changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Parcel>.AsyncIterator

    /// Waits for the next change.
    ///
    /// - Returns: The next change, or `nil` at the end of the sequence.
    public mutating func next() async -> Element? { await base.next()?.content }

    /// Waits for the next change on the actor of the caller.
    ///
    /// - Parameter actor: The actor of the caller.
    /// - Returns: The next change, or `nil` at the end of the sequence.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)?.content
    }
  }

  /// Transfers a record from its producer to its consumer, and to no other code.
  fileprivate struct Parcel: @unchecked Sendable {  // guard: transferred, not shared; see Docs/Architecture.md
    let content: Element
  }

  private let stream: AsyncStream<Parcel>

  fileprivate init(
    _ buffering: Buffering, _ observe: (@escaping (Element) -> Void) throws(KVError) -> SequenceTermination
  )
    throws(KVError)
  {
    let policy: AsyncStream<Parcel>.Continuation.BufferingPolicy =
      switch buffering {
      case .unbounded: .unbounded
      case .oldest(let count): .bufferingOldest(count)
      case .newest(let count): .bufferingNewest(count)
      }
    let (stream, continuation) = AsyncStream.makeStream(of: Parcel.self, bufferingPolicy: policy)
    self.stream = stream
    let termination = try observe { continuation.yield(Parcel(content: $0)) }
    continuation.onTermination = { _ in termination.cancel() }
    termination.whenEnded { continuation.finish() }
  }

  /// Returns an iterator over the changes.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}

extension KVChanges: Sendable where Element: Sendable {}

extension KVObservable {
  /// Returns the changes of a key path as an asynchronous sequence (THR.4).
  ///
  /// - Parameters:
  ///   - path: The key path, or its text.
  ///   - options: The contents of the records. With `initial`, the first record has the current value.
  ///   - buffering: The policy for changes that arrive faster than the consumer takes them.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: A sequence that already observes the key path.
  /// - Throws: ``KVError``: the errors of `observe`.
  public func changes(
    of path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new],
    buffering: KVChanges<KVChange>.Buffering = .unbounded, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVChanges<KVChange> {
    let path = try path.keyPath()
    return try KVChanges(buffering) { yield throws(KVError) in
      let observation = SequenceObservation(path, options, Site(file, line)) { observation, notice, phase in
        if let root = observation.livingRoot(notice) { yield(observation.record(notice, root, phase)) }
      }
      try observation.begin(at: self)
      return SequenceTermination(observation)
    }
  }

  /// Returns the changes of a key path with values of a known type as an asynchronous sequence (THR.4).
  ///
  /// Records of a `Sendable` value type are `Sendable`, so that another actor may take them.
  ///
  /// - Parameters:
  ///   - path: The key path, or its text.
  ///   - type: The type of the values, without an optional around it.
  ///   - options: The contents of the records. With `initial`, the first record has the current value.
  ///   - buffering: The policy for changes that arrive faster than the consumer takes them.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: A sequence that already observes the key path.
  /// - Throws: ``KVError``: the errors of `observe`.
  public func changes<Value>(
    of path: some KVKeyPathConvertible, as type: Value.Type, options: KVObservingOptions = [.old, .new],
    buffering: KVChanges<KVValueChange<Value>>.Buffering = .unbounded, file: StaticString = #fileID,
    line: UInt = #line
  ) throws(KVError) -> KVChanges<KVValueChange<Value>> {
    let path = try path.keyPath()
    return try KVChanges(buffering) { yield throws(KVError) in
      let sink = typedSink(type, yield)
      let observation = SequenceObservation(path, options, Site(file, line)) { _, notice, phase in
        sink(notice, phase == .prior, phase == .initial, path, options, Site(file, line))
      }
      try observation.begin(at: self)
      return SequenceTermination(observation)
    }
  }
}

/// An observation that delivers its records to a sequence.
final class SequenceObservation: Observation, @unchecked Sendable {  // guard: `whenEnded` is locked
  typealias Sink = (SequenceObservation, borrowing KVChangeNotice, Phase) -> Void

  private let sink: Sink
  fileprivate let whenEnded = Locked<(@Sendable () -> Void)?>(nil)

  init(_ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site, _ sink: @escaping Sink) {
    self.sink = sink
    super.init(path, options, site)
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) { sink(self, notice, phase) }

  override func didEnd() {
    let finish = whenEnded.withLock { whenEnded in
      defer { whenEnded = nil }
      return whenEnded
    }
    finish?()
  }

  override var summary: String { "sequence" }
}

/// The connection of a sequence and its observation, each of which can end the other.
private struct SequenceTermination: Sendable {
  let observation: SequenceObservation

  init(_ observation: SequenceObservation) { self.observation = observation }

  func cancel() { observation.cancel() }

  func whenEnded(_ finish: @escaping @Sendable () -> Void) {
    observation.whenEnded.withLock { $0 = finish }
    if observation.isEnded { finish() }
  }
}
