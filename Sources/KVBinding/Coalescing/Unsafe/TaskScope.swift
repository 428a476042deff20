import Synchronization

/// The coalescing scope of a task (COA.9).
///
/// Child tasks inherit the task-local value, and do not use the scope: they may run at the same time.
// guard: `scope` is used by its task only, which runs on one thread at a time
final class TaskScope: @unchecked Sendable {
  @TaskLocal private static var inherited: TaskScope?
  /// The number of scopes of all tasks: while there are none, no task-local value is read.
  private static let count = Atomic<Int>(0)

  private let scope = CoalescingScope()
  private let task = TaskScope.taskID
  /// Whether the records are delivered: a later task may have the identity of the ended one.
  private let isEnded = Atomic<Bool>(false)

  /// The scope of the current task, not retained.
  @inline(__always)
  static var current: _KVReference<CoalescingScope>? {
    count.load(ordering: .relaxed) == 0 ? nil : found
  }

  @inline(never)
  private static var found: _KVReference<CoalescingScope>? {
    guard let inherited, inherited.task == taskID, !inherited.isEnded.load(ordering: .relaxed),
      !ThreadDeliveries.current.borrow({ $0.hasLeftScopes })
    else { return nil }
    return _KVReference(inherited.scope)
  }

  /// The identity of the current task; nil outside of tasks.
  private static var taskID: Int? { withUnsafeCurrentTask { $0?.hashValue } }

  /// Calls a function in a scope of the current task, and delivers what it deferred.
  static func run<Result, Failure: Error>(
    isolation: isolated (any Actor)?, _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if let outer = found?.object {
      outer.depth += 1
      defer { outer.depth -= 1 }
      return try await body()
    }
    let scope = TaskScope()
    if ChangeBoundary.isTracked { scope.scope.boundary = ChangeBoundary().begun() }
    count.add(1, ordering: .relaxed)
    let outcome = await $inherited.withValue(
      scope,
      operation: { () async -> Swift.Result<Result, Failure> in
        do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
      }, isolation: isolation)
    count.subtract(1, ordering: .relaxed)
    scope.isEnded.store(true, ordering: .relaxed)
    // What the scope delivers belongs to its changes.
    let boundary = ChangeBoundary.begin()
    boundary?.adopt(scope.scope.boundary)
    scope.scope.deliver()
    boundary?.end()
    return try outcome.get()
  }
}
