/// How many elements a list has that is sorted, filtered or arranged: fewer where instructions are counted.
let elementCount = environment("KV_BENCH_ELEMENTS").flatMap { Int($0) } ?? 100_000

/// Finds how often to run an operation, and keeps the times of the repeats.
struct Timing {
  private static let repeats = 5
  private static let shortestRepeat = 0.3
  private static let aim = 0.32
  private static let shortestTrial = 0.04

  /// How often to run each operation, once, whatever time it takes: set where instructions are counted.
  static let fixedCount = environment("KV_BENCH_COUNT").flatMap { Int($0) }

  /// How many operations of the table one operation in the loop stands for.
  private let parts: Int

  private var count: Int
  private var isCalibrated = false
  private var results: [Double] = []
  private var dump = 0

  init(parts: Int = 1) {
    self.parts = parts
    count = max(2, 256 / parts)
  }

  /// How many operations to time next, an even number; nil once all repeats are there.
  var nextCount: Int? {
    if let fixed = Self.fixedCount { return results.isEmpty ? fixed : nil }
    return results.count < Self.repeats ? count : nil
  }

  /// Takes the seconds that ``nextCount`` operations took.
  @inline(never)
  mutating func record(_ seconds: Double) {
    if let fixed = Self.fixedCount {
      results.append(seconds * 1e9 / Double(fixed) / Double(parts))
      dump = clockReads
    } else if !isCalibrated {
      isCalibrated = seconds > Self.shortestTrial
      count = isCalibrated ? scaled(seconds) : count * 2
    } else if seconds < Self.shortestRepeat {
      count = scaled(seconds)
    } else {
      results.append(seconds * 1e9 / Double(count) / Double(parts))
    }
  }

  private func scaled(_ seconds: Double) -> Int { (Int(Double(count) * (Self.aim / seconds)) / 2 + 1) * 2 }

  /// The median time of an operation in nanoseconds.
  var median: Double { results.sorted()[results.count / 2] }

  /// The median, the least and the greatest time of an operation in nanoseconds.
  ///
  /// Where instructions are counted, it is the number of times that the clock was read, which is that of the dump
  /// of callgrind, and how many operations of the table it is for.
  var summary: String {
    if let fixed = Self.fixedCount { return "dump \(dump) for \(fixed * parts)" }
    let sorted = results.sorted()
    return "\(Self.text(median)) min \(Self.text(sorted[0])) max \(Self.text(sorted[sorted.count - 1]))"
  }

  /// Returns a number with two decimals.
  static func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let decimals = hundredths % 100
    return "\(hundredths / 100).\(decimals < 10 ? "0" : "")\(decimals)"
  }
}
