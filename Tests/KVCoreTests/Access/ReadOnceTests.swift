import KVCore
import Testing

@Suite("KVC how often reading calls a getter")
struct ReadOnceTests {
  private final class Child: KVObject {
    var name = "child"
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Child.self) { key in key("name", \.name) }
    }
  }

  private final class Counter: KVObject {
    var calls = 0
    private var children: [Child?] = [Child(), nil]

    private func counted<Value>(_ value: Value) -> Value {
      calls += 1
      return value
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Counter.self) { key in
        key("big") { $0.counted(300) }
        key("bigOrNil") { $0.counted(Int?.some(300)) }
        key("half") { $0.counted(0.5) }
        key("items") { $0.counted($0.children) }
        key("none") { $0.counted([Child]?.none) }
        key("own") { $0 }
      }
    }
  }

  private let counter = Counter()

  @Test("KVC.17: a number that does not fit is read once", arguments: ["big", "bigOrNil"])
  func numbers(_ key: String) {
    func check(_ code: KVError.Code?) {
      #expect(code == .numberOutOfRange && counter.calls == 1)
      counter.calls = 0
    }
    check(failureCode { () throws(KVError) in _ = try counter.value(forKey: key, as: UInt8.self) })
    check(failureCode { () throws(KVError) in _ = try counter.value(forKey: key, as: UInt8?.self) })
    check(failureCode { () throws(KVError) in _ = try counter.value(forKeyPath: "own.\(key)", as: UInt8.self) })
    check(failureCode { () throws(KVError) in _ = try KVC.value(of: counter, forKeyPath: key, as: UInt8.self) })
    counter.calls = 0
    #expect((try? counter.value(forKey: key, as: Double.self)) == 300)
    #expect(counter.calls == 1)
  }

  @Test("OP.2: an operator reads the right path once for each object", arguments: ["@sum", "@avg", "@min", "@max"])
  func operators(name: String) throws {
    for key in ["big", "half"] {
      let counters = [Counter(), Counter()]
      #expect(try KVC.value(of: counters, forKeyPath: "\(name).\(key)") != nil)
      #expect(counters.map(\.calls) == [1, 1])
    }
  }

  @Test("KVC.7, KVC.18: an index beyond the end, of a nil element and of a nil array")
  func indexes() throws {
    for path in ["items[9].name", "own.items[2].name"] {
      counter.calls = 0
      let error = failure { () throws(KVError) in try counter.value(forKeyPath: path) }
      #expect(error?.code == .indexOutOfRange && error?.keyPath == path)
      #expect(counter.calls == 1)
    }
    for (path, name) in [("items[0].name", "child"), ("items[1].name", nil), ("none[0].name", nil)] {
      counter.calls = 0
      let value = try counter.value(forKeyPath: path)
      #expect(value as? String == name)
      #expect(counter.calls == 1)
    }
    counter.calls = 0
    #expect(throws: KVError.self) { try counter.setValue("x", forKeyPath: "items[9].name") }
    #expect(counter.calls == 1)
  }
}
