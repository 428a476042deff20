import KVCore
import Testing

@Suite("KVC: depth and cycles")
struct DepthTests {
  @Test("KP.5, KVC.3: a path of 4,096 components over a cyclic object reads and writes")
  func cycle() throws {
    let author = Author()
    author.agent = author
    defer { author.agent = nil }
    let prefix = Array(repeating: "agent", count: 4_095).joined(separator: ".")
    #expect(try author.value(forKeyPath: prefix + ".name") as? String == "Ada")
    try author.setValue("Eve", forKeyPath: prefix + ".name")
    #expect(author.name == "Eve")
    #expect(
      failure { () throws(KVError) in try author.value(forKeyPath: prefix + ".agent.name") }?.code == .invalidKeyPath)
    #expect(try KVC.value(of: [author], forKeyPath: prefix + ".name") as? [String] == ["Eve"])
  }

  @Test("KVC.3: a cyclic graph that is only reflected is bounded by the path")
  func reflectedCycle() throws {
    let shelf = Shelf()
    shelf.neighbour = shelf
    let prefix = Array(repeating: "neighbour", count: 1_000).joined(separator: ".")
    #expect(try KVC.value(of: shelf, forKeyPath: prefix + ".label") as? String == "A")
  }

  @Test("KVC.3: a cycle of arrays and objects in which collections are mapped over")
  func cycleThroughArrays() throws {
    let author = Author()
    author.rivals = [author]
    defer { author.rivals = [] }
    let short = Array(repeating: "rivals", count: 100).joined(separator: ".") + ".name"
    var value: Any? = try author.value(forKeyPath: short)
    for _ in 0..<100 { value = (value as? [Any?])?.first ?? nil }
    #expect(value as? String == "Ada")
    let long = Array(repeating: "rivals", count: 4_000).joined(separator: ".")
    _ = try? author.value(forKeyPath: long)
    _ = try? author.setValue("x", forKeyPath: long + ".name")
  }

  @Test("KVC.18: arrays nested more deeply than 200 are refused, not followed", arguments: [2, 150, 201, 100_000])
  func deepArrays(depth: Int) throws {
    var nest: Any = [Book()]
    for _ in 1..<depth { nest = [nest] }
    let outcome = Result { () throws(KVError) in try KVC.value(of: nest, forKeyPath: "title") }
    if depth <= 200 {
      #expect(throws: Never.self) { try outcome.get() }
    } else {
      #expect(failure { () throws(KVError) in try outcome.get() }?.code == .limitExceeded)
    }
    let path = try KVKeyPath(components: Array(repeating: .index(0), count: min(depth, 4_096)))
    #expect(throws: Never.self) { try KVC.value(of: nest, forKeyPath: path) }
    var copy = nest
    let written = Result { () throws(KVError) in try KVC.setValue("x", forKeyPath: "title", in: &copy) }
    if depth > 100 { #expect(failure { () throws(KVError) in try written.get() }?.code == .limitExceeded) }
    copy = 0
    unravel(&nest)
  }

  @Test("KVC.3: dictionaries nested 4,000 deep are walked by a path")
  func deepDictionaries() throws {
    var nest: [String: Any] = ["end": 1]
    for _ in 1..<4_000 { nest = ["next": nest] }
    let path = try KVKeyPath(components: Array(repeating: .key("next"), count: 3_999) + [.key("end")])
    #expect(try nest.value(forKeyPath: path) as? Int == 1)
    try nest.setValue(2, forKeyPath: path)
    #expect(try nest.value(forKeyPath: path) as? Int == 2)
  }

  /// Takes a nest apart from the outside, since Swift itself frees it recursively.
  private func unravel(_ nest: inout Any) {
    while let outer = nest as? [Any], let inner = outer.first { nest = inner }
  }
}
