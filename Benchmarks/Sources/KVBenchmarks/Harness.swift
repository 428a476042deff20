/// One workload of the tables in the documentation: measures rows and prints them.
///
/// A row is the median of five repeats of at least 0.3 s each, in nanoseconds an operation. The functions that measure
/// are inlined, and so is the operation given to them: what is timed is the operation in a loop, and no call of a
/// closure. Each operation is run and its effect checked before it is timed.
struct Workload {
  /// The name, such as `W1`.
  let name: String
  /// Takes results, so that none of them is needless, and returns objects as if they were others each time.
  let wall: Wall
  /// Who is measured: the library, or the language alone.
  var contestant = "kv"

  /// The same workload for the floors: what Swift does without the library.
  var native: Workload { Workload(name: name, wall: wall, contestant: "native") }

  /// Measures an operation that returns a value.
  @inline(__always)
  func get<Value: Equatable>(_ row: String, _ expected: Value, _ operation: () throws -> Value) rethrows {
    try get(row, where: { $0 == expected }, operation)
  }

  /// Measures an operation whose value is looked at by a function, and which may consist of several.
  @inline(__always)
  func get<Value>(
    _ row: String, per parts: Int = 1, where isRight: (Value) -> Bool, _ operation: () throws -> Value
  ) rethrows {
    if !isRight(try operation()) { fail("\(name) \(row): the value is wrong") }
    var timing = Timing(parts: parts)
    while let count = timing.nextCount {
      let start = threadSeconds()
      for _ in 0..<count { sink(try operation()) }
      timing.record(threadSeconds() - start)
    }
    print(row, timing)
  }

  /// Measures an operation that sets one of two values by turns.
  ///
  /// The object goes through the wall before every turn: what is known of it from the last turn, such as that nobody is
  /// just reading it, would save work that a program that sets a value once has to do.
  @inline(__always)
  func set<Object: AnyObject, Value: Equatable>(
    _ row: String, _ object: Object, _ values: Alternating<Value>, reading current: (Object) -> Value?,
    _ operation: (Object, Value) throws -> Void
  ) rethrows {
    try set(row, values, reading: { current(object) }) { value in
      let address = wall(Unmanaged.passUnretained(object).toOpaque())
      try Unmanaged<Object>.fromOpaque(address)._withUnsafeGuaranteedRef { try operation($0, value) }
    }
  }

  /// Measures an operation that sets one of two values by turns, in something that is no object.
  @inline(__always)
  func set<Value: Equatable>(
    _ row: String, _ values: Alternating<Value>, reading current: () -> Value?, _ operation: (Value) throws -> Void
  ) rethrows {
    for value in [values.first, values.second, values.first] {
      try operation(value)
      if current() != value { fail("\(name) \(row): the value was not set") }
    }
    var timing = Timing()
    while let count = timing.nextCount {
      let start = threadSeconds()
      // Counts are even. Both turns are spelled out: choosing a value would copy it.
      for _ in 0..<count / 2 {
        try operation(values.first)
        try operation(values.second)
      }
      timing.record(threadSeconds() - start)
    }
    print(row, timing)
  }

  /// Prints the time of something that can be done once only, divided by the number of its parts.
  @inline(never)
  func once(_ row: String, _ seconds: Double, _ parts: Int) {
    report("\(contestant) \(name) \(row) \(Timing.text(seconds * 1e9 / Double(parts)))")
  }

  /// Prints what the process grows by while a body runs, divided by the number of its parts.
  @inline(never)
  func bytes(_ row: String, _ parts: Int, _ body: () throws -> Void) rethrows {
    let before = residentBytes()
    try body()
    report("\(contestant) \(name) bytes_\(row) \(Timing.text(Double(residentBytes() - before) / Double(parts)))")
  }

  /// Consumes a result, which is moved to memory that the optimiser does not know the fate of.
  @inline(__always)
  private func sink<Value>(_ value: consuming Value) {
    withUnsafeMutablePointer(to: &value) { _ = wall(UnsafeMutableRawPointer($0)) }
  }

  @inline(never)
  private func print(_ row: String, _ timing: Timing) {
    report("\(contestant) \(name) \(row) \(timing.summary)")
  }
}

/// Two values by turns, so that every set changes something.
struct Alternating<Value> {
  let first: Value
  let second: Value

  init(_ first: Value, _ second: Value) {
    self.first = opaque(first)
    self.second = opaque(second)
  }
}

extension Alternating<String> {
  /// Strings of 40 characters: too long to be stored inline, and made at run time, so that each has a counted buffer.
  static var texts: Alternating {
    Alternating(String(repeating: "alpha", count: 8), String(repeating: "omega", count: 8))
  }

  /// Strings that are stored inline, so that copies cost nothing.
  static var shortTexts: Alternating { Alternating("alpha", "omega") }
}

extension Alternating<Int> {
  /// Two integers.
  static var numbers: Alternating { Alternating(1_000_001, 1_000_002) }
}
