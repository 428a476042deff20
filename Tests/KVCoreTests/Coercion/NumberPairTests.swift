import KVCore
import Testing

/// Every pair of number types at its edges, in all spellings: each has a way of its own to the same rule.
@Suite("CO.2: numbers convert alike in all spellings")
struct NumberPairTests {
  private typealias Number = NumericValue & Equatable

  private static let doubles = [
    0.0, -0.0, 0.5, -0.5, 1, 127.9, 128, -128.9, -129, 255.999, 256, 65_504, 65_520, 9_007_199_254_740_991,
    9_007_199_254_740_992, 9_007_199_254_740_994, 9_223_372_036_854_774_784, 9_223_372_036_854_775_808,
    -9_223_372_036_854_775_808, 18_446_744_073_709_551_616, 1.8e38, 3.5e38, 1e300, .leastNonzeroMagnitude,
    .greatestFiniteMagnitude, .infinity, -.infinity, .nan,
  ]

  private static func edges<T: FixedWidthInteger>(_ type: T.Type) -> [T] {
    [T.min, T.min + 1, T.max - 1, T.max, 0, 1]
      + [9_007_199_254_740_991, 9_007_199_254_740_992, 9_007_199_254_740_993].compactMap { T(exactly: $0) }
  }

  @Test("CO.2: from signed integers")
  func signed() throws {
    try convert(Self.edges(Int.self))
    try convert(Self.edges(Int8.self))
    try convert(Self.edges(Int16.self))
    try convert(Self.edges(Int32.self))
    try convert(Self.edges(Int64.self))
    try convert(Self.edges(Int128.self))
  }

  @Test("CO.2: from unsigned integers")
  func unsigned() throws {
    try convert(Self.edges(UInt.self))
    try convert(Self.edges(UInt8.self))
    try convert(Self.edges(UInt16.self))
    try convert(Self.edges(UInt32.self))
    try convert(Self.edges(UInt64.self))
    try convert(Self.edges(UInt128.self))
  }

  @Test("CO.2: from floating-point numbers and Bool")
  func floating() throws {
    try convert(Self.doubles)
    try convert(Self.doubles.map { Float($0) } + [.greatestFiniteMagnitude, .leastNonzeroMagnitude])
    try convert([true, false])
  }

  private func convert(_ sources: [some Number]) throws {
    for source in sources {
      try check(source, 0)
      try check(source, 0 as Int8)
      try check(source, 0 as Int16)
      try check(source, 0 as Int32)
      try check(source, 0 as Int64)
      try check(source, 0 as Int128)
      try check(source, 0 as UInt)
      try check(source, 0 as UInt8)
      try check(source, 0 as UInt16)
      try check(source, 0 as UInt32)
      try check(source, 0 as UInt64)
      try check(source, 0 as UInt128)
      try check(source, 0.0)
      try check(source, 0 as Float)
      try check(source, false)
    }
  }

  private func check<Source: Number, Target: Number>(_ source: Source, _ initial: Target) throws {
    if Source.self == Target.self { return }
    let expected = Target(number: source.number)
    let cell = NumberCell(source, initial)
    func expect(
      _ spelling: String, _ body: () throws -> Target, at location: SourceLocation = #_sourceLocation
    ) throws {
      // As texts, in which zeros have signs and NaN equals itself.
      let name = "\(Source.self) \(source) as \(Target.self), \(spelling)"
      do {
        let value = try body()
        #expect(expected.map { "\($0)" } == "\(value)", Comment(rawValue: name), sourceLocation: location)
      } catch let error as KVError {
        #expect(expected == nil, Comment(rawValue: name), sourceLocation: location)
        #expect(error.code == .numberOutOfRange, Comment(rawValue: name), sourceLocation: location)
      }
    }
    func set(_ spelling: String, _ body: () throws -> Void, at location: SourceLocation = #_sourceLocation) throws {
      (cell.target, cell.pair.target) = (initial, initial)
      try expect(
        spelling,
        {
          try body()
          return cell.target
        }, at: location)
      if expected == nil { #expect(cell.target == initial, Comment(rawValue: spelling), sourceLocation: location) }
    }

    try expect("converted") { try KVC.convert(source, to: Target.self) }
    try expect("key") { try cell.value(forKey: "source", as: Target.self) }
    try expect("path") { try cell.value(forKeyPath: "itself.source", as: Target.self) }
    try expect("path to a struct") { try cell.value(forKeyPath: "pair.source", as: Target.self) }
    try expect("key of a struct") { try cell.pair.value(forKey: "source", as: Target.self) }
    try expect("entry") { try KVC.value(of: ["a": source], forKeyPath: "a", as: Target.self) }
    try set("set by key") { try cell.setValue(source, forKey: "target") }
    try set("set a box by key") { try cell.setValue(source as Any?, forKey: "target") }
    try set("set by path") { try cell.setValue(source, forKeyPath: "itself.target") }
    try set("set a box by path") { try cell.setValue(source as Any?, forKeyPath: "itself.target") }
    try set("set in a struct") {
      try cell.setValue(source, forKeyPath: "pair.target")
      cell.target = cell.pair.target
    }
    try set("set several") { try cell.setValues(forKeys: ["target": source]) }
  }

  @Test("CO.2: a number of another type that is set by key is notified of as the property's own")
  func observed() throws {
    for value in [7.9, Int8(7), true] as [any Sendable] {
      let cell = NumberCell(0.0, 0)
      let recorder = ShopRecorder.watch(cell, "target")
      try cell.setValue(value, forKey: "target")
      try cell.setValue(value as Any?, forKeyPath: "itself.target")
      #expect(recorder.didLines.count == 2)
      #expect(recorder.lastNew as? Int == cell.target)
      #expect(recorder.lastType == Int.self)
      #expect(throws: KVError.self) { try cell.setValue(Double.nan, forKey: "target") }
      #expect(recorder.didLines.count == 2)
    }
  }
}

private struct NumberPair<Source, Target>: KeyValueCoding {
  var source: Source
  var target: Target

  static var keyTable: KVTable {
    KVTable(NumberPair.self) { key in
      key("source", \.source)
      key("target", \.target)
    }
  }
}

private final class NumberCell<Source, Target>: KVObject {
  var source: Source
  var target: Target
  var pair: NumberPair<Source, Target>

  init(_ source: Source, _ target: Target) {
    (self.source, self.target) = (source, target)
    pair = NumberPair(source: source, target: target)
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: NumberCell<Source, Target>.self) { key in
      key("source", \.source)
      key("target", \.target)
      key("pair", \.pair)
      key("itself") { $0 }
    }
  }
}
