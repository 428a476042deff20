/// The waiters of a clock, as pure state whose methods return the waiters to resume.
struct SleeperQueue: Sendable {
  typealias Instant = KVManualClock.Instant
  /// A function that resumes a waiter.
  typealias Resume = @Sendable (Result<Void, any Error>) -> Void

  /// The condition that a waiter waits for.
  enum Goal {
    case time(Instant)
    /// As a time, but never before the clock is advanced.
    case call(Instant)
    case sleepers(Int)

    var deadline: Instant? {
      switch self {
      case .time(let deadline), .call(let deadline): deadline
      case .sleepers: nil
      }
    }

    /// Whether a waiter with the goal counts as asleep.
    func sleeps(at now: Instant) -> Bool {
      switch self {
      case .time(let deadline): deadline > now
      case .call: true
      case .sleepers: false
      }
    }
  }

  /// A waiter to resume, outside of all locks.
  struct Call: Sendable {
    let resume: Resume
    let result: Result<Void, any Error>
  }

  private struct Waiter {
    let number: Int
    let goal: Goal
    let resume: Resume
  }

  private(set) var now = Instant()
  /// The instant to which the clock is being advanced.
  private var end = Instant()
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
  mutating func enter(_ number: Int, _ goal: Goal, _ resume: @escaping Resume) -> [Call] {
    if cancelled.remove(number) != nil { return [Call(resume: resume, result: cancellation)] }
    waiters.append(Waiter(number: number, goal: goal, resume: resume))
    return removeReached()
  }

  /// Cancels a waiter, also before it begins to wait.
  mutating func cancel(_ number: Int) -> [Call] {
    if let resume = remove(number) { return [Call(resume: resume, result: cancellation)] }
    cancelled.insert(number)
    return []
  }

  /// Removes a waiter, if it waits, and returns what would resume it.
  mutating func remove(_ number: Int) -> Resume? {
    waiters.firstIndex { $0.number == number }.map { waiters.remove(at: $0).resume }
  }

  /// Removes what is recorded of a waiter that has finished.
  mutating func forget(_ number: Int) { cancelled.remove(number) }

  /// Begins to advance the time; returns the instant at which that ends.
  mutating func beginAdvancing(by duration: Duration) -> Instant {
    end = end.advanced(by: duration)
    return end
  }

  /// Advances the time to the next deadline, or to an end; nil if it stands there already.
  mutating func advance(upTo end: Instant) -> [Call]? {
    if let deadline = deadlines.first, deadline <= end {
      now = max(now, deadline)
    } else if now < end {
      now = end
    } else {
      return nil
    }
    return removeReached(isAdvancing: true)
  }

  private var cancellation: Result<Void, any Error> { .failure(CancellationError()) }

  /// Removes the waiters whose condition is satisfied, and returns them by deadline and then in the order of arrival.
  private mutating func removeReached(isAdvancing: Bool = false) -> [Call] {
    let sleeping = waiters.count { $0.goal.sleeps(at: now) }
    var (reached, waiting) = ([Waiter](), [Waiter]())
    for waiter in waiters {
      let isReached =
        switch waiter.goal {
        case .time(let deadline): deadline <= now
        case .call(let deadline): isAdvancing && deadline <= now
        case .sleepers(let count): sleeping >= count
        }
      if isReached { reached.append(waiter) } else { waiting.append(waiter) }
    }
    waiters = waiting
    return reached.sorted { ($0.goal.deadline ?? now, $0.number) < ($1.goal.deadline ?? now, $1.number) }
      .map { Call(resume: $0.resume, result: .success(())) }
  }
}
