import KVBinding

/// Finds out whether memory grows when objects are created, observed, bound and destroyed again and again.
///
/// Each line has the way in which a round ends, the number of rounds so far, and the bytes that the process uses then.
/// `KV_ROUNDS=10000000` makes ten million rounds of each kind. The program fails if it uses a megabyte more at the end
/// than after the first tenth, or if an object is left.
func runRounds(_ workload: Workload) throws {
  let count = environment("KV_ROUNDS").flatMap { Int($0) } ?? 100_000
  report("ended by,rounds,bytes")
  for end in RoundEnd.allCases { try runRounds(count, endedBy: end) }
}

/// What ends the observations and the binding of a round.
private enum RoundEnd: String, CaseIterable {
  case token = "dropping the tokens"
  case cancel = "cancelling and unbinding"
  case root = "dropping the root first"
  case owner = "dropping the owner first"
  case target = "dropping the target of the binding first"
  case middle = "replacing the middle object"
}

/// What a round makes.
private struct Round {
  var root: Node?
  var target: Node?
  var owner: RoundOwner?
  var tokens: [KVObservation] = []
}

private func runRounds(_ count: Int, endedBy end: RoundEnd) throws {
  let counter = Counter()
  var first = 0
  let tenth = max(1, count / 10)
  for number in 1...count {
    weak var witness: Node?
    do {
      var round = Round(root: opaque(Node()), target: opaque(Node()), owner: RoundOwner())
      try begin(&round, counter)
      witness = round.root?.next
      let calls = counter.calls
      round.root?.next?.age = number
      guard counter.calls == calls + 4, round.target?.age == number else { fail("Rounds: \(number) was not notified") }
      finish(&round, by: end)
    }
    if witness != nil { fail("Rounds: an object is left after \(end.rawValue)") }
    guard number % tenth == 0 else { continue }
    let bytes = residentBytes()
    report("\(end.rawValue),\(number),\(bytes)")
    if number == tenth { first = bytes }
    if bytes > first + 1 << 20 { fail("Rounds: memory grows when rounds end by \(end.rawValue)") }
  }
}

/// Observes the middle object by each kind of registration, and binds to it.
private func begin(_ round: inout Round, _ counter: Counter) throws {
  guard let root = round.root, let target = round.target, let owner = round.owner else { return }
  root.next = Node()
  round.tokens.append(try root.observe("next.age", as: Int.self) { counter.count($0.new) })
  round.tokens.append(try root.observe(["next.age", "name"]) { _ in counter.count() })
  try root.observe("next.age", owner: owner) { _, _ in counter.count() }
  try target.bind("age", to: "next.age", of: root, options: .twoWay)
  try root.next?.observe("age", owner: target) { _, _ in counter.count() }
}

/// Ends what the round began, in an order that depends on the kind.
private func finish(_ round: inout Round, by end: RoundEnd) {
  switch end {
  case .token: round.tokens = []
  case .cancel:
    for token in round.tokens { token.cancel() }
    round.target?.unbindAll()
  case .root: round.root = nil
  case .owner: round.owner = nil
  case .target: round.target = nil
  case .middle: round.root?.next = Node()
  }
  round = Round()
}

/// The owner of observations, which is not observable itself.
private final class RoundOwner: KVObserver {}
