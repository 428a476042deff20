import Foundation
import KVCore
import KVQuery
import TestModels
import Testing

/// Formats that are nested as deeply as FLT.14 permits, and deeper.
private enum NestedFormat: String, CaseIterable {
  case parentheses, negations, lists, alternatives, sums, powers, indexes, functions, ternaries, subqueries, postfixes

  /// How many levels a format may have; a comparison, a list or a root around them is one.
  var limit: Int {
    switch self {
    case .parentheses, .postfixes: 200
    case .sums, .powers, .indexes, .functions: 198
    case .ternaries: 197
    case .negations, .alternatives: 99
    case .lists, .subqueries: 60
    }
  }

  func format(_ depth: Int) -> String {
    func nested(_ open: String, _ inner: String, _ close: String) -> String {
      String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
    }
    return switch self {
    case .parentheses: nested("(", "a == 1", ")")
    case .negations: nested("NOT (FALSEPREDICATE OR ", "a == 2", ")")
    case .lists: "a IN " + nested("{1, ", "a", "}")
    case .alternatives: nested("(a == 1 AND (a == 2 OR ", "a == 1", "))")
    case .sums: "1" + String(repeating: " + 1", count: depth) + " > 0"
    case .powers: "1" + String(repeating: " ** a", count: depth) + " == 1"
    case .indexes: nested("list[", "a", "]") + " == 1"
    case .functions: nested("abs(", "a", ")") + " == 1"
    case .ternaries: nested("TERNARY(a == 1, ", "a", ", 2)") + " == 1"
    case .subqueries:
      (0..<depth).reduce("a == 1") { inner, index in "SUBQUERY({1}, $x\(index), \(inner))[SIZE] > 0" }
    case .postfixes: nested("(", "list.@max", ")[0].@max") + " == 1"
    }
  }
}

/// What is done with a predicate that exists.
private enum Work: String, CaseIterable {
  case evaluating, filtering, describing, comparing, listing, limiting, limitingByPolicy, binding, coding, composing
  case freeing

  func run(_ predicate: KVPredicate, _ format: String) throws {
    let item = ["a": 1, "list": [1, 1]] as [String: Any]
    switch self {
    case .evaluating: do { _ = try predicate.evaluate(with: item) } catch { try Self.check(error) }
    case .filtering: do { _ = try [item].filter(predicate) } catch { try Self.check(error) }
    case .describing: #expect(!predicate.description.isEmpty)
    case .comparing: #expect(try predicate == KVPredicate(format: format))
    case .listing: #expect(!predicate.keyPaths.isEmpty || format.first == "1")
    case .limiting: _ = try? predicate.limited(toKeyPaths: ["a"], functions: ["abs"], allowsSubqueries: true)
    case .limitingByPolicy:
      let policy = KVPolicy("none", operators: ["max"])
      do throws(KVError) { _ = try predicate.limited(by: policy, functions: ["abs"], allowsSubqueries: true) } catch {
        if error.code != .unsupported { throw error }
      }
    case .binding: do { _ = try predicate.with(["a": 1]).evaluate(with: item) } catch { try Self.check(error) }
    case .coding:
      let data = try JSONEncoder().encode([predicate])
      #expect(try JSONDecoder().decode([KVPredicate].self, from: data).count == 1)
    case .composing:
      let composed = !predicate && predicate || !(!predicate)
      do { _ = try composed.evaluate(with: item) } catch { try Self.check(error) }
    case .freeing: _ = try KVPredicate(format: format)
    }
  }

  /// What is nested fails in many ways; only the limit matters here.
  private static func check(_ error: KVError) throws { if error.code == .limitExceeded { throw error } }
}

@Suite("FLT.14: nested predicates on small stacks")
struct SmallStackPredicateTests {
  private static func isLimit(_ error: any Error) -> Bool {
    if let error = error as? KVError { return error.code == .limitExceeded }
    return "\(error)".contains("nested too deeply for the stack")
  }

  @Test(
    "FLT.14: every permitted nesting is parsed, or throws limitExceeded where the stack of the thread is too small",
    arguments: NestedFormat.allCases.map(\.rawValue), SmallStack.sizes)
  func parsing(_ name: String, _ kilobytes: Int) throws {
    let nested = try #require(NestedFormat(rawValue: name))
    for depth in [1, nested.limit / 2, nested.limit, nested.limit + 5, 1_000] {
      let format = nested.format(depth)
      let error = SmallStack.error(kilobytes: kilobytes) { _ = try KVPredicate(format: format) }
      if depth == 1 || kilobytes == 8_192 && depth <= nested.limit {
        #expect(error == nil, "\(depth): \(String(describing: error))")
      } else if depth == 1_000 {
        #expect(error.map(Self.isLimit) == true)
      } else {
        #expect(error.map(Self.isLimit) ?? true, "\(depth): \(String(describing: error))")
      }
    }
  }

  @Test(
    "FLT.14: a predicate of another thread is used on any stack, or throws limitExceeded",
    arguments: NestedFormat.allCases.map(\.rawValue), Work.allCases.map(\.rawValue))
  func using(_ name: String, _ work: String) throws {
    let (nested, work) = (try #require(NestedFormat(rawValue: name)), try #require(Work(rawValue: work)))
    let format = nested.format(nested.limit)
    let predicate = try KVPredicate(format: format)
    for kilobytes in SmallStack.sizes {
      // A new copy each time, which is not compiled yet.
      let copy = try #require(kilobytes == 8_192 ? predicate : try? KVPredicate(format: format))
      let error = SmallStack.error(kilobytes: kilobytes) { try work.run(copy, format) }
      #expect(error.map(Self.isLimit) ?? true, "\(kilobytes): \(String(describing: error))")
      if work == .describing || work == .listing { #expect(error == nil) }
    }
  }

  @Test("FLT.14: a program that was made on a large stack asks for room on a small one")
  func compiled() throws {
    let format = NestedFormat.functions.format(198)
    let predicate = try KVPredicate(format: format)
    #expect(try predicate.evaluate(with: ["a": 1]))
    for kilobytes in SmallStack.sizes {
      let error = SmallStack.error(kilobytes: kilobytes) { _ = try predicate.evaluate(with: ["a": 1]) }
      #expect(error.map(Self.isLimit) ?? true)
    }
    let error = SmallStack.error(kilobytes: 64) { _ = try predicate.evaluate(with: ["a": 1]) } as? KVError
    // The C library may give a thread a larger stack that an earlier one has left.
    let message = "the predicate is nested too deeply for the stack of this thread; use a thread with a larger stack."
    #expect(error?.message ?? message == message)
  }

  @Test("FLT.14: a predicate whose variables cannot be bound on a small stack fails when it is evaluated")
  func bound() throws {
    let predicate = try KVPredicate(format: NestedFormat.functions.format(198))
    nonisolated(unsafe) var bound: KVPredicate?
    _ = SmallStack.error(kilobytes: 64) { bound = predicate.with(["x": 1]) }
    let failing = try #require(bound)
    // The C library may give a thread a larger stack that an earlier one has left.
    if failing.description == predicate.description { return }
    #expect(failing.description == "<nested too deeply for the stack of this thread>")
    #expect(#expect(throws: KVError.self) { try failing.evaluate(with: 1) }?.code == .limitExceeded)
    #expect(#expect(throws: KVError.self) { try failing.limited(toKeyPaths: []) }?.code == .limitExceeded)
  }

  @Test(
    "SEC.8, FLT.14: patterns of MATCHES are made and matched on any stack, or throw limitExceeded",
    arguments: [1, 24, 50, 99, 5_000], SmallStack.sizes)
  func patterns(_ count: Int, _ kilobytes: Int) throws {
    func repeated(_ text: String) -> String { String(repeating: text, count: count) }
    let patterns = [
      repeated("(") + "a" + repeated(")"), repeated("(?:a|") + "b" + repeated(")"), repeated("[a") + repeated("]"),
      "[a" + repeated("&&a") + "]", "[a" + repeated("--b") + "]", repeated("[]a") + "b" + repeated("]"),
      repeated("[^]a") + repeated("]"), repeated("[a-z]") + "*", repeated("(a)"), "a" + repeated("|a"),
      repeated("(?i)") + "a", "(?x)" + repeated("(#)\n") + "a", #"\Q"# + repeated("[a]") + #"\E"#,
      repeated(#"[a\]"#) + repeated("]"), repeated("-"),
    ]
    for pattern in patterns {
      let error = SmallStack.error(kilobytes: kilobytes) {
        do throws(KVError) {
          _ = try KVPredicate(format: "a MATCHES %@", pattern).evaluate(with: ["a": "aaa"])
          _ = try KVPredicate(format: "a MATCHES b").evaluate(with: ["a": "aaa", "b": pattern])
        } catch {
          if error.code != .invalidPredicate { throw error }
        }
      }
      #expect(error.map(Self.isLimit) ?? true, "\(pattern.prefix(20)): \(String(describing: error))")
    }
  }

  @Test("FLT.10: lists in a value that are nested to any depth do not end the process")
  func lists() throws {
    let predicate: KVPredicate = "SUBQUERY(items, $x, CAST($x, 'String') == '')[SIZE] >= 0"
    // The standard library frees such a value with recursion, on the thread that releases it last.
    let error = SmallStack.error(kilobytes: 16_384) {
      var nest: Any = [1] as [Any?]
      for _ in 0..<5_000 { nest = [nest] as [Any?] }
      let value: [String: Any] = ["items": [nest]]
      if let error = SmallStack.error(kilobytes: 512, { _ = try predicate.evaluate(with: value) }) { throw error }
    }
    #expect(error == nil || error is KVError)
  }
}
