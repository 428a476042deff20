import KVCore
import Testing

@Suite("KVC.18: errors in collections name the element")
struct ElementErrorTests {
  private struct Line: KeyValueCoding {
    var price = 1
    static var keyTable: KVTable { KVTable(Line.self) { key in key("price", \.price) } }
  }

  private final class Order: KVObject {
    var lines: [Any] = [Line(), Line(), "free"]
    var nested: [[Any]] = [[Line()], [Line(), 5]]
    var marks: Set<Int> = [1]
    var counts: [Int] = []
    var grid: [[Int]] = []
    var named: [String: [Int]] = [:]

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Order.self) { key in
        key("lines", \.lines)
        key("nested", \.nested)
        key("marks", \.marks)
        key("counts", \.counts)
        key("grid", \.grid)
        key("named", \.named)
      }
    }
  }

  private let order = Order()
  private static let hint = ", and its text is not one either; set a value of type Int."

  private func message(_ body: () throws(KVError) -> Any?) -> String { failure(body)?.message ?? "no error" }

  @Test("KVC.5, KVC.18: a key that an element does not have")
  func reading() {
    let error = failure { () throws(KVError) in try order.value(forKeyPath: "lines.price") }
    #expect(error?.message.hasPrefix("element 2: undefined key \"price\" of String.") == true)
    #expect(error?.component == "price")
    #expect(error?.keyPath == "lines.price")
    let nested = message { () throws(KVError) in try order.value(forKeyPath: "nested.price") }
    #expect(nested.hasPrefix("element 1: element 1: undefined key \"price\" of Int."))
    let member = message { () throws(KVError) in try order.value(forKeyPath: "marks.price") }
    #expect(member.hasPrefix("an element: undefined key"))
  }

  @Test("KVC.10, KVC.18: an element that does not take a value, found before any is changed")
  func writing() {
    let error = failure { () throws(KVError) in try order.setValue(2, forKeyPath: "lines.price") }
    #expect(error?.message.hasPrefix("element 2: undefined key \"price\" of String.") == true)
    #expect((order.lines[0] as? Line)?.price == 1)
    order.lines = [Line(), Line()]
    let mismatch = failure { () throws(KVError) in try order.setValue("x", forKeyPath: "lines.price") }
    #expect(mismatch?.message == "element 0: cannot set \"price\" of Line: the String \"x\" is not an Int\(Self.hint)")
  }

  @Test("CO.6, KVC.18: an element that does not convert, at any depth")
  func converting() {
    let flat = failure { () throws(KVError) in try order.setValue([1, 2, "x"], forKey: "counts") }
    #expect(flat?.message == "cannot set \"counts\" of Order: at [2], the String \"x\" is not an Int\(Self.hint)")
    let grid = message { () throws(KVError) in try order.setValue([[1], [2, "x"] as [Any]], forKey: "grid") }
    #expect(grid == "cannot set \"grid\" of Order: at [1][1], the String \"x\" is not an Int\(Self.hint)")
    let named = failure { () throws(KVError) in try order.setValue(["a": [1, nil]], forKey: "named") }
    #expect(named?.code == .nilValue)
    #expect(named?.message.hasPrefix("cannot set \"named\" of Order: at [\"a\"][1], nil is not an Int.") == true)
    let several = message { () throws(KVError) in
      try order.setValues(forKeys: ["counts": [1, "x"] as [Any]])
      return nil
    }
    #expect(several == "cannot set \"counts\" of Order: at [1], the String \"x\" is not an Int\(Self.hint)")
    let read = message { () throws(KVError) in try order.value(forKey: "lines", as: [Line].self) }
    #expect(read.contains("at [2], the String \"free\" is not a Line"))
    #expect(order.counts.isEmpty && order.grid.isEmpty && order.named.isEmpty)
  }

  @Test("COL.2, KVC.18: elements for a view: several by index, one without")
  func views() {
    order.counts = [1, 2, 3]
    let view = order.mutableArray(forKey: "counts")
    let one = message { () throws(KVError) in
      try view.append("x")
      return nil
    }
    #expect(one == "cannot set \"counts\" of Order: the String \"x\" is not an Int\(Self.hint)")
    let several = message { () throws(KVError) in
      try view.append(contentsOf: [4, "x"])
      return nil
    }
    #expect(several == "cannot set \"counts\" of Order: at [1], the String \"x\" is not an Int\(Self.hint)")
  }

  @Test("COL.1, KP.3: a path as the key of a view names the method for paths, which works")
  func pathAsKey() throws {
    let array = message { () throws(KVError) in try order.mutableArray(forKey: "other.counts").elements() }
    #expect(array.contains("It looks like a key path; use mutableArray(forKeyPath:) for those."))
    let set = message { () throws(KVError) in try order.mutableSet(forKey: "other.marks").elements() }
    #expect(set.contains("use mutableSet(forKeyPath:) for those."))
    #expect(try order.mutableArray(forKeyPath: "counts").elements().isEmpty)
  }

  @Test("KVC.18: the properties of an error are keys, and nothing else is")
  func keys() throws {
    let error = try #require(failure { () throws(KVError) in try order.value(forKey: "lnies") })
    #expect(try error.value(forKey: "message", as: String.self) == error.message)
    #expect(try error.value(forKeyPath: "code", as: String.self) == "undefinedKey")
    #expect(try error.value(forKey: "suggestion") as? String == "lines")
    #expect(try error.value(forKey: "rootType") as? String == "Order")
    #expect(try KVC.value(of: ["error": error], forKeyPath: "error.component") as? String == "lnies")
    #expect(failureCode { () throws(KVError) in _ = try error.value(forKey: "details") } == .undefinedKey)
  }
}
