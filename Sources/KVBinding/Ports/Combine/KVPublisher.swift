#if canImport(Combine)
  import Combine
  import Foundation
  import KVCore

  /// The values of a key path as a publisher (OBV.3).
  ///
  /// Each subscription observes the key path. It is completed when the object is deallocated, if that is a ``KVObject``. The
  /// publisher retains the object, a subscription does not.
  public struct KVPublisher<Value>: Publisher {
    /// The values; nil values are nil.
    public typealias Output = Value?
    /// Subscriptions do not fail: the key path has been checked.
    public typealias Failure = Never

    fileprivate typealias Observe = (_ handler: @escaping (Value?) -> Void) throws -> KVObservation

    fileprivate let observe: Observe
    fileprivate let finish: (_ handler: @escaping () -> Void) -> KVObservation?

    /// Begins to observe the key path for a subscriber.
    public func receive<Receiver: Subscriber>(subscriber: Receiver)
    where Receiver.Input == Value?, Receiver.Failure == Never {
      let subscription = KVSubscription(subscriber)
      subscriber.receive(subscription: subscription)
      subscription.begin(self)
    }
  }

  extension KVObservable {
    /// Returns the values of a key path as a publisher (OBV.3).
    ///
    /// ```swift
    /// try person.publisher(forKeyPath: "name", as: String.self)
    ///   .sink { name in print(name ?? "nobody") }
    /// ```
    ///
    /// A value that the subscriber has no demand for is kept until it has, or until the next one replaces it. Values
    /// arrive on the thread that makes the change.
    ///
    /// - Parameters:
    ///   - path: The key path, or its text.
    ///   - type: The type of the values, without an optional around it.
    ///   - options: When values are published, as for `observe`; `initial` begins with the current one. `prior` is refused.
    /// - Returns: The publisher.
    /// - Throws: ``KVError``: `unsupported` for the option `prior`; the errors of `observe`.
    public func publisher<Value>(
      forKeyPath path: some KVKeyPathConvertible, as type: Value.Type, options: KVObservingOptions = .initial
    ) throws -> KVPublisher<Value> {
      let path = try path.keyPath()
      if options.contains(.prior) {
        throw KVError(
          .unsupported,
          "a publisher has the new values of \"\(path)\", which .prior does not tell: leave the option out.",
          keyPath: path.description, rootType: "\(Swift.type(of: self))")
      }
      let options = options.union(.new)
      try observe(path, as: type, options: .new) { _ in }.cancel()
      return KVPublisher(
        observe: { handler in
          try self.observe(path, as: type, options: options) { change in handler(change.new) }
        },
        finish: { handler in (self as? KVObject)?.onDeinit { handler() } })
    }
  }

  private final class KVSubscription<Value, Receiver: Subscriber>: Subscription
  where Receiver.Input == Value?, Receiver.Failure == Never {
    private let lock = NSLock()
    private var subscriber: Receiver?
    private var demand = Subscribers.Demand.none
    /// A value for which there was no demand.
    private var waiting: Value??
    /// Values for which there was demand, while another one is being delivered.
    private var queue: [Value?] = []
    private var isDelivering = false
    private var observations: [KVObservation] = []

    init(_ subscriber: Receiver) { self.subscriber = subscriber }

    func begin(_ publisher: KVPublisher<Value>) {
      guard lock.withLock({ subscriber != nil }) else { return }
      let end = publisher.finish { [weak self] in self?.finish() }
      // The key path was checked; if its objects have changed since, there is nothing to observe.
      guard let observation = try? publisher.observe({ [weak self] in self?.receive($0) }) else { return finish() }
      let isCancelled = lock.withLock {
        observations = [observation, end].compactMap { $0 }
        return subscriber == nil
      }
      if isCancelled { cancel() }
    }

    func request(_ more: Subscribers.Demand) {
      lock.withLock { add(more) }
      deliver()
    }

    private func receive(_ value: Value?) {
      lock.withLock {
        waiting = .some(value)
        add(.none)
      }
      deliver()
    }

    /// Adds to the demand, and queues the waiting value if there is some.
    private func add(_ more: Subscribers.Demand) {
      demand += more
      guard demand > .none, let value = waiting, subscriber != nil else { return }
      demand -= 1
      waiting = nil
      queue.append(value)
    }

    /// Delivers what is queued, one value after the other: a value that arrives meanwhile is delivered next.
    private func deliver() {
      while true {
        let next: (subscriber: Receiver, value: Value?)? = lock.withLock {
          guard !isDelivering, let subscriber, !queue.isEmpty else { return nil }
          isDelivering = true
          return (subscriber, queue.removeFirst())
        }
        guard let next else { return }
        let more = next.subscriber.receive(next.value)
        lock.withLock {
          isDelivering = false
          add(more)
        }
      }
    }

    private func finish() {
      let subscriber = take()
      subscriber?.receive(completion: .finished)
    }

    func cancel() { _ = take() }

    /// Ends the observations, outside of the lock, and returns the subscriber.
    private func take() -> Receiver? {
      let (ended, subscriber) = lock.withLock {
        defer { (observations, self.subscriber, waiting, queue) = ([], nil, nil, []) }
        return (observations, self.subscriber)
      }
      for observation in ended { observation.cancel() }
      return subscriber
    }
  }
#endif
