/// The waiters of a clock, as pure state whose methods return the waiters to resume.
struct WaitingRoom: Sendable {
  typealias Instant = KVManualClock.Instant
  typealias Continuation = CheckedContinuation<Void, any Error>

  /// The condition that a waiter waits for.
  enum Goal {
    case time(Instant)
    case sleepers(Int)

    var deadline: Instant? { if case .time(let deadline) = self { deadline } else { nil } }
  }

  /// A waiter to resume, outside of all locks.
  struct Call: Sendable {
    let continuation: Continuation
    let result: Result<Void, any Error>
  }

  private struct Waiter {
    let number: Int
    let goal: Goal
    let continuation: Continuation
  }

  private(set) var now = Instant()
  private var waiters: [Waiter] = []
  /// The waiters that were cancelled before they began to wait.
  private var cancelled: Set<Int> = []
  private var lastNumber = 0

  /// The deadlines of the sleeping waiters, the earliest first.
  var deadlines: [Instant] { waiters.compactMap(\.goal.deadline).sorted() }

  /// Returns the number of a new waiter.
  mutating func takeNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Adds a waiter.
  mutating func enter(_ number: Int, _ goal: Goal, _ continuation: Continuation) -> [Call] {
    if cancelled.remove(number) != nil { return [Call(continuation: continuation, result: cancellation)] }
    waiters.append(Waiter(number: number, goal: goal, continuation: continuation))
    return takeReached()
  }

  /// Cancels a waiter, also before it begins to wait.
  mutating func cancel(_ number: Int) -> [Call] {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else {
      cancelled.insert(number)
      return []
    }
    return [Call(continuation: waiters.remove(at: index).continuation, result: cancellation)]
  }

  /// Removes what is recorded of a waiter that has finished.
  mutating func forget(_ number: Int) { cancelled.remove(number) }

  /// Advances the time.
  mutating func advance(by duration: Duration) -> [Call] {
    now = now.advanced(by: duration)
    return takeReached()
  }

  private var cancellation: Result<Void, any Error> { .failure(CancellationError()) }

  /// Removes the waiters whose condition is satisfied, and returns them by deadline and then in the order of arrival.
  private mutating func takeReached() -> [Call] {
    let sleeping = waiters.count { $0.goal.deadline.map { $0 > now } ?? false }
    var (reached, waiting) = ([Waiter](), [Waiter]())
    for waiter in waiters {
      let isReached =
        switch waiter.goal {
        case .time(let deadline): deadline <= now
        case .sleepers(let count): sleeping >= count
        }
      if isReached { reached.append(waiter) } else { waiting.append(waiter) }
    }
    waiters = waiting
    return reached.sorted { ($0.goal.deadline ?? now, $0.number) < ($1.goal.deadline ?? now, $1.number) }
      .map { Call(continuation: $0.continuation, result: .success(())) }
  }
}
