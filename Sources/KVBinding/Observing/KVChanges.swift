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
public struct KVChanges<Element>: AsyncSequence, Plumbing {
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
  private let registration: Registration

  fileprivate init(
    _ buffering: Buffering, of path: KVKeyPath, _ options: KVObservingOptions, at root: some KVObservable,
    _ site: Site, _ makeSink: (_ yield: @escaping (Element) -> Void, _ finish: @escaping () -> Void) -> Sink
  ) throws(KVError) {
    let policy: AsyncStream<Parcel>.Continuation.BufferingPolicy =
      switch buffering {
      case .unbounded: .unbounded
      case .oldest(let count): .bufferingOldest(count)
      case .newest(let count): .bufferingNewest(count)
      }
    let (stream, continuation) = AsyncStream.makeStream(of: Parcel.self, bufferingPolicy: policy)
    self.stream = stream
    let sink = makeSink({ continuation.yield(Parcel(content: $0)) }, { continuation.finish() })
    registration = Registration(path, options, site, sink)
    try registration.begin(at: root)
    continuation.onTermination = { [registration] _ in registration.cancel() }
  }

  /// Limits how often the sequence gets an element: debounce or throttle (COA.10).
  ///
  /// Deferred changes are merged: one change has the old value of the first and the new value of the last.
  ///
  /// - Parameter limit: The limit. Its executor adds the elements to the sequence.
  /// - Returns: The receiver.
  public func limited(by limit: KVRateLimit) -> KVChanges {
    registration.setLimit(ObservationLimit(limit))
    return self
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
    try KVChanges(buffering, of: path.keyPath(), options, at: self, Site(file, line)) { .storedRecords($0, finish: $1) }
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
    try checkValues(of: path, fit: type)
    return try KVChanges(buffering, of: path, options, at: self, Site(file, line)) {
      Sink(.sequence(finish: $1), typedDelivery(type, $0))
    }
  }
}
