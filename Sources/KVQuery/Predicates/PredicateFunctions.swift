import KVCore

/// The functions of filters: the built-in ones, and those that the program registers (FLT.11).
enum PredicateFunctions {
  typealias Body = @Sendable ([Scalar]) throws(KVError) -> Scalar

  struct Function: Sendable {
    /// The numbers of arguments that the function takes.
    let counts: ClosedRange<Int>
    let body: Body
  }

  /// The functions that are written as signs.
  static let signs: [String: (function: String, precedence: Int)] = [
    "+": ("add:to:", PredicateParser.Precedence.sum),
    "-": ("from:subtract:", PredicateParser.Precedence.sum),
    "*": ("multiply:by:", PredicateParser.Precedence.product),
    "/": ("divide:by:", PredicateParser.Precedence.product),
    "**": ("raise:toPower:", PredicateParser.Precedence.power),
  ]

  /// The names that formats refuse (FLT.15).
  static let refused: Set = ["RANDOM", "RANDOM:", "RANDOMN", "RANDOMN:"]

  private static let custom = Locked<[String: Function]>([:])

  private static let builtIn: [String: Function] = {
    var all = arithmetic.merging(statistics) { first, _ in first }
    all["uppercase"] = text { .text($0.uppercased()) }
    all["lowercase"] = text { .text($0.lowercased()) }
    all["length"] = text { .integer($0.count) }
    return all
  }()

  /// Whether a function returns numbers and nil only.
  static func makesNumbers(_ name: String) -> Bool {
    arithmetic[name] != nil || ["length", "count", "sum", "average", "median", "stddev"].contains(name)
  }

  // MARK: Finding

  /// Returns the name of a function as trees have it: without the colon of its only argument.
  static func canonicalName(_ name: String) -> String {
    name.hasSuffix(":") && name.firstIndex(of: ":") == name.index(before: name.endIndex)
      ? String(name.dropLast()) : name
  }

  /// Returns the function of a name, a registered one first.
  static func function(_ name: String) -> Function? {
    if let function = custom.withLock({ $0[name] }) ?? builtIn[name] { return function }
    guard name == "now", FoundationProvider.services != nil else { return nil }
    return Function(counts: 0...0) { _ in FoundationProvider.services.map { Scalar($0.now) } ?? .none }
  }

  /// The names of all functions, sorted.
  static var names: [String] {
    let now = FoundationProvider.services == nil ? [] : ["now"]
    return Set(builtIn.keys).union(custom.withLock { Array($0.keys) }).union(now).sorted()
  }

  /// Returns what is wrong with a call; nil if nothing is.
  static func fault(ofCall name: String, _ count: Int) -> String? {
    guard let counts = function(name)?.counts, !counts.contains(count) else { return nil }
    let expected =
      counts.upperBound == .max
      ? "at least \(counts.lowerBound)"
      : counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound) or \(counts.upperBound)"
    let isOne = expected == "1" || expected == "at least 1"
    return "expected \(expected) argument\(isOne ? "" : "s") for \(name)"
  }

  static func register(
    _ name: String, replacing: Bool, _ body: @escaping @Sendable ([Any?]) throws -> Any?
  ) throws(KVError) {
    guard PredicateLexer.isPlainKey(name, isFirst: true) else {
      throw KVError(
        .unsupported, "\"\(shortened(name))\" is not a name of a function: it is one word and no keyword.",
        component: name
      )
    }
    let function = Function(counts: 0...Int.max) { arguments throws(KVError) in
      do { return Scalar(try body(arguments.map(\.any))) } catch let error as KVError { throw error } catch {
        throw KVError(.custom, "\(name): \(error).", component: name, underlying: error)
      }
    }
    let isRefused = refused.contains(PredicateLexer.keyword(name))
    let isBuiltIn = builtIn[name] != nil || name == "now" || isRefused
    let isRegistered = custom.withLock { custom in
      guard !isBuiltIn, replacing || custom[name] == nil else { return true }
      custom[name] = function
      return false
    }
    guard isRegistered else { return }
    throw KVError(
      .unsupported,
      """
      the function "\(name)" is \(isBuiltIn ? "\(isRefused ? "refused by formats" : "built in"): choose another name." : "registered already: choose another name, or pass replacing: true.")
      """, component: name)
  }

  static func unregister(_ name: String) { custom.withLock { _ = $0.removeValue(forKey: name) } }

  // MARK: Texts

  private static func text(_ body: @escaping @Sendable (String) -> Scalar) -> Function {
    Function(counts: 1...1) { arguments throws(KVError) in
      if arguments[0].isNil { return .none }
      guard let text = arguments[0].text else { throw mismatch(arguments[0], "a text") }
      return body(text)
    }
  }

  static func mismatch(_ value: Scalar, _ wanted: String) -> KVError {
    KVError(
      .typeMismatch,
      "\(describe(asAny(value.any))) is not \(wanted), which the function needs.")
  }
}

extension Scalar {
  /// The text, also that of a `Substring`, a `Character` and an enum whose raw values are texts; nil for other values.
  var text: String? {
    switch self {
    case .text(let text): text
    case .other(let value): RawValues.text(of: value)
    case .none, .bool, .integer, .floating: nil
    }
  }
}
