import KVCore
import KVQuery
import Testing

/// The limit belongs to the process, so the suite lowers it no further than other suites need.
@Suite("KVC.18: the limit of elements", .serialized)
struct LimitTests {
  private final class Parent: KVObject {
    var children: [Child] = []
    var mark = 0

    init(_ count: Int) {
      super.init()
      children = (0..<count).map { _ in Child(self) }
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Parent.self) { key in
        key("children", \.children)
        key("mark", \.mark)
      }
    }
  }

  private final class Child: KVObject {
    weak var parent: Parent?

    init(_ parent: Parent) { self.parent = parent }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Child.self) { key in key("parent", \.parent) }
    }
  }

  private struct Odd: Equatable { var value: Int }

  private func limited(to limit: Int, _ body: () throws -> Void) rethrows {
    let before = KVC.maximumElementCount
    KVC.maximumElementCount = limit
    defer { KVC.maximumElementCount = before }
    try body()
  }

  @Test(
    "KVC.18: a path that multiplies is an error once it has visited too many elements",
    arguments: [
      "children.parent.children.parent.children.parent.children.parent.children.parent",
      "children.@unionOfArrays.parent.children.@unionOfArrays.parent.children.@unionOfArrays.parent.children",
      "children.@sum.parent.children.@sum.parent.children.@sum.parent.children.@count",
      "children.@max.parent.children.@max.parent.children.@max.parent.children.parent.mark.@count",
    ])
  func multiplying(_ path: String) {
    let parent = Parent(40)
    limited(to: 50_000) {
      let error = failure { () throws(KVError) in try parent.value(forKeyPath: path) }
      #expect(error?.code == .limitExceeded)
      #expect(error?.message.contains("KVC.maximumElementCount") == true)
      #expect(error?.message.utf8.count ?? 0 < 300)
    }
  }

  @Test("KVC.18: writing on elements that multiply is refused before anything is set")
  func writing() throws {
    let parent = Parent(40)
    try limited(to: 50_000) {
      let path = "children.parent.children.parent.children.parent.children.parent.mark"
      let error = failure { () throws(KVError) in try parent.setValue(1, forKeyPath: path) }
      #expect(error?.code == .limitExceeded)
      #expect(parent.mark == 0)
      try parent.setValue(2, forKeyPath: "children.parent.children.parent.mark")
      #expect(parent.mark == 2)
    }
  }

  @Test("KVC.18: the outermost collection does not count, and what is allowed is complete")
  func allowed() throws {
    try limited(to: 50_000) {
      let flat = Parent(50_001)
      #expect((try flat.value(forKeyPath: "children.parent") as? [Any?])?.count == 50_001)
      #expect(try flat.value(forKeyPath: "children.@count") as? Int == 50_001)
      #expect(try flat.value(forKeyPath: "children.@sum.parent.mark") as? Int == 0)
      let nested = try Parent(200).value(forKeyPath: "children.parent.children.parent") as? [Any?]
      #expect(nested?.count == 200)
    }
  }

  @Test("KVC.18: the values of a distinct union that are not hashable are compared so many times only")
  func distinct() throws {
    let values = (0..<500).map { Odd(value: $0) }
    try limited(to: 50_000) {
      let error = failure { () throws(KVError) in
        try KVC.value(of: values, forKeyPath: "@distinctUnionOfObjects.self")
      }
      #expect(error?.code == .limitExceeded)
      #expect(error?.message.contains("make the type Hashable, or raise KVC.maximumElementCount") == true)
      let few = try KVC.value(of: Array(values.prefix(300)), forKeyPath: "@distinctUnionOfObjects.self")
      #expect((few as? [Any])?.count == 300)
    }
    #expect((try KVC.value(of: values, forKeyPath: "@distinctUnionOfObjects.self") as? [Any])?.count == 500)
  }

  @Test(
    "KVC.18: groups and the most frequent values compare so many times only, and what is hashable as often as it likes")
  func groups() throws {
    let rows = (0..<500).map { ["v": Odd(value: $0), "i": $0] as [String: Any] }
    let mode: KVExpression = try KVExpression(format: "mode(v)")
    try limited(to: 50_000) { () throws in
      for body in [
        { _ = try rows.grouped(by: "v") }, { _ = try rows.uniqued(by: "v") },
        { _ = try mode.value(of: ["v": rows.map { $0["v"] }]) },
      ] as [() throws -> Void] {
        let error = #expect(throws: KVError.self) { try body() }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("make the type Hashable, or raise KVC.maximumElementCount") == true)
      }
      #expect(try rows.prefix(300).grouped(by: "v").count == 300 && rows.uniqued(by: "i").count == 500)
    }
    #expect(try rows.grouped(by: "v").count == 500)
  }

  @Test("FLT.10: IN behind a quantifier, and in a subquery, compares so many times only")
  func searchesOfQuantifiers() throws {
    let row: [String: Any] = [
      "a": (0..<300).map { Odd(value: $0) }, "b": (0..<300).map { Odd(value: -1 - $0) }, "n": Array(0..<500),
      "m": (0..<500).map { -1 - $0 },
    ]
    try limited(to: 50_000) { () throws in
      for format in [
        "ANY a IN b", "NONE a IN b", "SUBQUERY(a, $x, $x IN b)[SIZE] == 0", "SUBQUERY(a, $x, b CONTAINS $x)[SIZE] == 0",
      ] {
        let error = #expect(throws: KVError.self, "\(format)") { try KVPredicate(format: format).evaluate(with: row) }
        #expect(error?.code == .limitExceeded)
        #expect(
          error?.message == """
            the predicate visits more than 50000 elements for one value: subqueries in subqueries multiply, and so does IN \
            behind ANY, ALL or NONE. Nest fewer of them, or raise KVC.maximumElementCount.
            """)
      }
      #expect(try KVPredicate(format: "NONE n IN m AND ALL n IN n").evaluate(with: row))
    }
    #expect(try KVPredicate(format: "NONE a IN b").evaluate(with: row))
  }

  @Test("KVC.18: the limit is ten million unless it is set")
  func standard() { #expect(KVC.maximumElementCount == 10_000_000) }

  @Test("KVC.18: a negative limit counts as zero")
  func negative() {
    limited(to: -1) { #expect(KVC.maximumElementCount == 0) }
  }

  @Test("FLT.10: nested subqueries that multiply are an error once they have visited too many elements")
  func subqueries() throws {
    let multiplying = (0..<60).reduce("TRUEPREDICATE") { text, index in
      "SUBQUERY({1, 2}, $x\(index), \(text))[SIZE] > 0"
    }
    let doubling = (0..<60).reversed().reduce("ALL $x59 == 1") { text, index in
      "SUBQUERY({\(index == 0 ? "1" : "{$x\(index - 1), $x\(index - 1)}")}, $x\(index), \(text))[SIZE] > 0"
    }
    let texts = (0..<60).reversed().reduce("CAST($x59, 'String') == ''") { text, index in
      "SUBQUERY({\(index == 0 ? "1" : "{$x\(index - 1), $x\(index - 1)}")}, $x\(index), \(text))[SIZE] > 0"
    }
    try limited(to: 50_000) {
      for format in [multiplying, doubling, texts] {
        let predicate = try KVPredicate(format: format).limited(toKeyPaths: [], allowsSubqueries: true)
        let error = failure { () throws(KVError) in try predicate.evaluate(with: 1) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("KVC.maximumElementCount") == true)
      }
    }
  }

  @Test("KVC.18: operators in operators count the elements whose numbers are read without boxes, too")
  func numbersInOperators() throws {
    let groups = (0..<300).map { group in ["ints": (0..<200).map { $0 + group }] as [String: Any] }
    try limited(to: 50_000) {
      for path in ["@sum.ints.@sum.@self", "@sum.ints.@max.@self", "@max.ints.@avg.@self", "@sum.ints.@sum.self"] {
        let error = #expect(throws: KVError.self) { try KVC.value(of: groups, forKeyPath: path) }
        #expect(error?.code == .limitExceeded)
      }
      let largest = try KVC.value(of: Array(groups.prefix(250)), forKeyPath: "@max.ints.@max.@self", as: Int.self)
      #expect(largest == 448)
    }
  }
}
