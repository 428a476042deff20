import KVCore
import Synchronization
import Testing

@Suite("OP.6: operators of the program's own")
struct OwnOperatorTests {
  private struct Refusal: Error, CustomStringConvertible {
    var description: String { "no goods" }
  }

  private let lines = [ShopLine(count: 1, price: 4), ShopLine(count: 2, price: 2), ShopLine(count: 3, price: 9)]

  @Test("OP.6: a registered operator gets the values of the right path, and its result is the value")
  func values() throws {
    try KVOperator.register("shopMedian") { call in
      let numbers = call.values.compactMap { $0 as? Double }.sorted()
      return numbers.isEmpty ? nil : numbers[numbers.count / 2]
    }
    defer { KVOperator.unregister("shopMedian") }
    #expect(try KVC.value(of: lines, forKeyPath: "@shopMedian.price") as? Double == 4)
    #expect(try KVC.value(of: ["lines": lines], forKeyPath: "lines.@shopMedian.price") as? Double == 4)
    #expect(try KVC.value(of: [lines, lines], forKeyPath: "@sum.@shopMedian.price") as? Double == 8)
    #expect(try KVC.value(of: [ShopLine](), forKeyPath: "@shopMedian.price") == nil)
    let names = KVOperator.names  // other tests register operators meanwhile
    #expect(names.contains("shopMedian") && names == names.sorted())
  }

  @Test("OP.6: it receives its argument, its elements, and the values of the right path")
  func call() throws {
    let seen = Mutex<[String]>([])
    try KVOperator.register("shopSpy") { call in
      let values = call.values.map { $0.map { "\($0)" } ?? "nil" }
      seen.withLock { seen in
        seen.append("\(call.argument ?? "-") \(call.elements.count) \(values)")
      }
      return Int?.none as Any
    }
    defer { KVOperator.unregister("shopSpy") }
    #expect(try KVC.value(of: [1, nil] as [Int?], forKeyPath: "@shopSpy") == nil)
    #expect(try KVC.value(of: lines, forKeyPath: "@shopSpy[top 2].count") == nil)
    #expect(try KVC.value(of: Set([5]), forKeyPath: "@shopSpy[b.c].@self") == nil)
    #expect(
      seen.withLock { $0 } == [
        "- 2 [\"1\", \"nil\"]", "top 2 3 [\"1\", \"2\", \"3\"]", "b.c 1 [\"5\"]",
      ])
  }

  @Test("OP.6: an error that it throws reaches the reader as the cause of an operator error")
  func throwing() throws {
    try KVOperator.register("shopRefuse") { _ in throw Refusal() }
    try KVOperator.register("shopRefuseAsOurs") { _ in throw KVError(.custom, "closed today.") }
    defer {
      KVOperator.unregister("shopRefuse")
      KVOperator.unregister("shopRefuseAsOurs")
    }
    let error = #expect(throws: KVError.self) { try KVC.value(of: lines, forKeyPath: "@shopRefuse.price") }
    #expect(error?.code == .operatorFailed)
    #expect(error?.underlying is Refusal)
    #expect(error?.component == "@shopRefuse")
    #expect(error?.keyPath == "@shopRefuse.price")
    #expect(error?.message == "@shopRefuse: no goods.")
    let ours = #expect(throws: KVError.self) { try KVC.value(of: lines, forKeyPath: "@shopRefuseAsOurs") }
    #expect(ours?.code == .custom)
    #expect(ours?.message == "closed today.")
    #expect(ours?.keyPath == "@shopRefuseAsOurs")
  }

  @Test("TRN.4: a built-in operator can be replaced on purpose, and gets its own meaning back")
  func replacedBuiltIn() throws {
    // Computes what the built-in operator does, since other tests may use it at the same time.
    nonisolated(unsafe) var isCalled = false
    try KVOperator.register("firstObject", replacing: true) { call in
      isCalled = true
      return call.values.first ?? nil
    }
    #expect(try KVC.value(of: [3, 4], forKeyPath: "@firstObject") as? Int == 3)
    KVOperator.unregister("firstObject")
    #expect(isCalled)
    isCalled = false
    #expect(try KVC.value(of: [3, 4], forKeyPath: "@firstObject") as? Int == 3 && !isCalled)
    #expect(KVOperator.names.filter { $0 == "firstObject" }.count == 1)
  }

  @Test("TRN.4: a built-in operator is not replaced by mistake", arguments: OperatorTests.builtIns)
  func builtIns(_ name: String) throws {
    let error = #expect(throws: KVError.self) { try KVOperator.register(name) { _ in nil } }
    #expect(error?.code == .unsupported)
    KVOperator.unregister(name)
    #expect(KVOperator.names.contains(name))
    #expect(try KVC.value(of: [1, 2], forKeyPath: "@count") as? Int == 2)
  }

  @Test("OP.6: a name that could not stand in a path is refused", arguments: ["", "@", "a.b", "a[", "]", "@@x"])
  func badNames(_ name: String) {
    let error = #expect(throws: KVError.self) { try KVOperator.register(name) { _ in nil } }
    #expect(error?.code == .invalidKeyPath)
    #expect(error?.message.contains("is not a key: a key is not empty") == true)
  }

  @Test("OP.6: an operator is registered and removed with or without its sign")
  func signs() throws {
    try KVOperator.register("@shopSigned") { _ in 1 }
    #expect(try KVC.value(of: lines, forKeyPath: "@shopSigned") as? Int == 1)
    let refused = #expect(throws: KVError.self) { try KVOperator.register("shopSigned") { _ in 2 } }
    #expect(refused?.message == "@shopSigned is registered already: choose another name, or pass replacing: true.")
    KVOperator.unregister("@shopSigned")
    #expect(!KVOperator.names.contains("shopSigned"))
  }

  @Test("TRN.4: a name that is taken is refused, unless it is replaced on purpose; unregistering ends it")
  func again() throws {
    try KVOperator.register("shopTwice") { _ in 1 }
    let refused = #expect(throws: KVError.self) { try KVOperator.register("shopTwice") { _ in 2 } }
    #expect(refused?.message == "@shopTwice is registered already: choose another name, or pass replacing: true.")
    #expect(try KVC.value(of: lines, forKeyPath: "@shopTwice") as? Int == 1)
    try KVOperator.register("shopTwice", replacing: true) { _ in 2 }
    #expect(try KVC.value(of: lines, forKeyPath: "@shopTwice") as? Int == 2)
    KVOperator.unregister("shopTwice")
    KVOperator.unregister("shopTwice")
    let error = #expect(throws: KVError.self) { try KVC.value(of: lines, forKeyPath: "@shopTwice") }
    #expect(error?.code == .unknownOperator)
  }

  @Test("OP.6: an operator may read key paths itself")
  func reentrant() throws {
    try KVOperator.register("shopSpread") { call in
      let greatest = try KVC.value(of: call.values, forKeyPath: "@max.@self", as: Double.self)
      return greatest - (try KVC.value(of: call.values, forKeyPath: "@min.@self", as: Double.self))
    }
    defer { KVOperator.unregister("shopSpread") }
    #expect(try KVC.value(of: lines, forKeyPath: "@shopSpread.price") as? Double == 7)
  }

  @Test("OP.6: its left value has to be a collection")
  func noCollection() throws {
    try KVOperator.register("shopAny") { _ in 1 }
    defer { KVOperator.unregister("shopAny") }
    #expect(throws: KVError.self) { try KVC.value(of: ShopItem(), forKeyPath: "@shopAny") }
    #expect(throws: KVError.self) { try KVC.value(of: ["a": 1], forKeyPath: "@shopAny") }
  }
}
