// Prints what the workloads cost: `KVBenchmarks` for all of them, `KVBenchmarks W1 W2d` for some.

let runs: [(name: String, run: (Workload) throws -> Void)] = [
  ("W1", runW1), ("W1i", runW1i), ("W2", runW2), ("W2d", runW2d), ("W3", runW3), ("W4", runW4), ("W3s", runW3s),
  ("W4s", runW4s), ("W12", runW12), ("W5", runW5), ("W5o", runW5o), ("W6", runW6), ("W6s", runW6s), ("W7", runW7),
  ("W10", runW10), ("W11", runW11), ("W13", runW13), ("W13a", runW13a), ("W14", runW14), ("W15", runW15), ("W8", runW8),
  ("W9", runW9), ("WM", runWM), ("W13b", runW13b), ("Growth", runGrowth), ("X", runX), ("W16", runW16),
  ("W16i", runW16i), ("W16p", runW16p), ("W16n", runW16n), ("W17", runW17), ("W17c", runW17c), ("W17a", runW17a),
  ("W17f", runW17f), ("W18", runW18), ("W18h", runW18h), ("W18i", runW18i), ("W19", runW19),
  ("W19d", runW19d), ("W19f", runW19f), ("W20", runW20), ("W20u", runW20u), ("W21", runW21), ("W22", runW22),
  ("Results", runResults), ("Spellings", runSpellings),
  ("Threads", runThreads), ("Rounds", runRounds),
]

let known = runs.map(\.name)
let wanted = CommandLine.arguments.dropFirst()
if let unknown = wanted.first(where: { !known.contains($0) }) {
  fail("There is no workload \"\(unknown)\". The known ones are: \(known.joined(separator: ", ")).", status: 2)
}

let throughWall = wall(CommandLine.arguments.count)
for (name, run) in runs where wanted.isEmpty || wanted.contains(name) {
  do { try run(Workload(name: name, wall: throughWall)) } catch { fail("\(name): \(error)") }
}
