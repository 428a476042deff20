import Dispatch
import KVControllers

/// What an operation takes on one thread, and on each of two threads that work on objects of their own.
///
/// The processor time of a thread is measured, so other programs count little; a lock or a counter that both threads use
/// would show in it, since each waits for the other's cache line. The native row tells what the machine itself adds.
func runThreads(_ threads: Workload) throws {
  if Timing.fixedCount != nil { return }
  compare(threads.native, "set", { NativeNode() }) { $0.age = $1 }
  compare(threads, "get_by_key", { Node() }) { node, _ in _ = try? node.value(forKey: "age", as: Int.self) }
  compare(threads, "get_path", { chain() }) { node, _ in _ = try? node.value(forKeyPath: "next.next.age", as: Int.self)
  }
  compare(threads, "set", { Node() }) { $0.age = $1 }
  compare(threads, "set_by_key", { Node() }) { node, value in try? node.setValue(value, forKey: "age") }
  compare(threads, "set_observed", { Observed() }) { $0.node.age = $1 }
  compare(threads, "set_bound", { Bound() }) { $0.source.age = $1 }
  compare(threads, "set_in_scope", { Observed() }) { observed, value in
    KVCoalescing.coalesce { observed.node.age = value }
  }
  compare(threads, "set_in_live_list", { Listed() }) { listed, value in
    listed.members[value % Listed.count].age = value
  }
  compare(threads, "register_cancel", { Node() }) { node, _ in try? node.observe("age", as: Int.self) { _ in }.cancel()
  }
}

/// Prints the time of one thread, of two at the same time, and the ratio.
private func compare<Model: AnyObject>(
  _ threads: Workload, _ row: String, _ make: () -> Model, _ operation: @Sendable (Model, Int) -> Void
) {
  let models = Models([make(), make()])
  let count = calibrate(models[0], operation)
  var (alone, together): ([Double], [Double]) = ([], [])
  for _ in 0..<7 {
    alone.append(seconds(models[0], count, operation))
    let times = Times()
    DispatchQueue.concurrentPerform(iterations: 2) { times.set(seconds(models[$0], count, operation), at: $0) }
    together.append(times.greatest)
  }
  let (one, two) = (alone.sorted()[3] * 1e9 / Double(count), together.sorted()[3] * 1e9 / Double(count))
  report(
    "\(threads.contestant) \(threads.name) \(row) \(Timing.text(one)) two \(Timing.text(two)) ratio \(Timing.text(two / one))"
  )
}

/// Returns how many operations take a tenth of a second.
private func calibrate<Model: AnyObject>(_ model: Model, _ operation: @Sendable (Model, Int) -> Void) -> Int {
  var count = 1_000
  while true {
    let time = seconds(model, count, operation)
    if time > 0.02 { return Int(Double(count) * 0.1 / time) }
    count *= 2
  }
}

@inline(never)
private func seconds<Model: AnyObject>(
  _ model: Model, _ count: Int, _ operation: @Sendable (Model, Int) -> Void
) -> Double {
  let start = threadSeconds()
  for index in 0..<count { operation(model, index) }
  return threadSeconds() - start
}

private func chain() -> Node {
  let node = Node()
  node.next = Node()
  node.next?.next = Node()
  return node
}

/// An object with an observer.
private final class Observed {
  let node = Node()
  private let counter = Counter()
  private var token: KVObservation?

  init() {
    token = try? node.observe("age", as: Int.self) { [counter] in counter.count($0.new) }
  }
}

/// Two objects and a binding between them.
private final class Bound {
  let source = Node()
  private let target = Node()

  init() {
    do { try target.bind("age", to: "age", of: source) } catch { fail("Threads: \(error)") }
  }
}

/// Objects in a live list that nobody else observes.
private final class Listed {
  static let count = 100
  let members = (0..<count).map { _ in Member() }
  private let owner = Member()
  private var arrangement: KVArrangement<Member>?

  init() {
    owner.friends = members
    do {
      arrangement = try KVArrangement(of: "friends", in: owner, sortedBy: ["age"])
    } catch {
      fail("Threads: \(error)")
    }
  }
}

/// The model of each thread: a thread uses its own only, so that no two threads share one.
private struct Models<Model: AnyObject>: @unchecked Sendable {
  private let models: [Model]

  init(_ models: [Model]) { self.models = models }

  subscript(index: Int) -> Model { models[index] }
}

/// The time of each thread: a thread writes its own element only, and all are read after the last thread has ended.
private final class Times: @unchecked Sendable {
  private let times: UnsafeMutablePointer<Double>

  init() {
    times = .allocate(capacity: 2)
    times.initialize(repeating: 0, count: 2)
  }

  deinit { times.deallocate() }

  func set(_ seconds: Double, at index: Int) { times[index] = seconds }

  var greatest: Double { max(times[0], times[1]) }
}
