import KVCore

/// Changes of a key path, as an asynchronous sequence (THR.4).
///
/// ```swift
/// for await change in try person.changes(of: "name", as: String.self) {
///   print(change.new ?? "nobody")
/// }
/// ```
///
/// Observing begins when the sequence is made, so nothing is lost before the first iteration; it ends when the object
/// dies, when the task is cancelled, or when the sequence is dropped. One consumer iterates it. A record of the untyped
/// form keeps the object alive while it is buffered; a typed one does not. What an object sets in its `deinit` is missing
/// from the untyped form, since nothing can keep the object any more (LIF.1).
public struct KVChanges<Element>: AsyncSequence {
  /// What happens to changes that come faster than they are taken.
  public enum Buffering: Sendable, Hashable {
    /// All are kept, in order.
    case unbounded
    /// The first so many are kept, later ones lost.
    case oldest(Int)
    /// The last so many are kept, earlier ones lost.
    case newest(Int)
  }

  /// Iterates the changes.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Parcel>.AsyncIterator

    /// Waits for the next change.
    ///
    /// - Returns: The change; nil when there will be no more.
    public mutating func next() async -> Element? { await base.next()?.content }

    /// Waits for the next change, without leaving the actor of the caller.
    ///
    /// - Parameter actor: The actor of the caller.
    /// - Returns: The change; nil when there will be no more.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)?.content
    }
  }

  /// Carries a record from where it was made to the one who takes it, and nowhere else.
  fileprivate struct Parcel: @unchecked Sendable {  // guard: handed over, not shared; see Docs/Architecture.md
    let content: Element
  }

  private let stream: AsyncStream<Parcel>

  fileprivate init(_ buffering: Buffering, _ observe: (@escaping (Element) -> Void) throws(KVError) -> SequenceEnd)
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
    let end = try observe { continuation.yield(Parcel(content: $0)) }
    continuation.onTermination = { _ in end.cancel() }
    end.whenEnded { continuation.finish() }
  }

  /// Returns an iterator.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}

extension KVChanges: Sendable where Element: Sendable {}

extension KVObservable {
  /// Returns the changes of a key path as a sequence.
  ///
  /// - Parameters:
  ///   - path: The path, or its text.
  ///   - options: What records carry; with `initial`, the first is the value as it is.
  ///   - buffering: What happens to changes that come faster than they are taken.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The sequence, which observes already.
  /// - Throws: ``KVError``, as `observe` does.
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
      return SequenceEnd(observation)
    }
  }

  /// Returns the changes of a key path whose value has a known type, as a sequence.
  ///
  /// Records of a `Sendable` value may be taken anywhere, on another actor for instance.
  ///
  /// - Parameters:
  ///   - path: The path, or its text.
  ///   - type: The type of the value, without an optional around it.
  ///   - options: What records carry; with `initial`, the first is the value as it is.
  ///   - buffering: What happens to changes that come faster than they are taken.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The sequence, which observes already.
  /// - Throws: ``KVError``, as `observe` does.
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
      return SequenceEnd(observation)
    }
  }
}

/// An observation whose records go into a sequence.
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

/// The end of a sequence's observation, from either side.
private struct SequenceEnd: Sendable {
  let observation: SequenceObservation

  init(_ observation: SequenceObservation) { self.observation = observation }

  func cancel() { observation.end() }

  func whenEnded(_ finish: @escaping @Sendable () -> Void) {
    observation.whenEnded.withLock { $0 = finish }
    if observation.isEnded { finish() }
  }
}
