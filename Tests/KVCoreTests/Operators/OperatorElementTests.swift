import KVCore
import Testing

@Suite("OP.2: the element that an error is about")
struct OperatorElementTests: OperatorSuite {
  private struct Reading: KeyValueCoding {
    var value: Double
    static var keyTable: KVTable { KVTable(Reading.self) { key in key("value", \.value) } }
  }

  private func message(_ root: Any, _ path: String) -> String? {
    failure { () throws(KVError) in try value(root, path) }?.message
  }

  @Test("OP.2: errors of operators name the element by its index")
  func indexes() {
    let items = operatorItems()
    let mixed: [Any] = [items[0], 5, items[1]]
    for name in ["sum", "avg", "min", "max", "unionOfObjects", "distinctUnionOfObjects", "unionOfArrays"] {
      #expect(
        message(mixed, "@\(name).price")?.hasPrefix("@\(name): element 1: undefined key \"price\" of Int.") == true)
    }
    #expect(message([1, 2, "x"] as [Any], "@sum.self") == "@sum: element 2: the String \"x\" is not a number.")
    #expect(
      message([1, 2, "x"] as [Any], "@max.self")
        == "@max: element 2: the String \"x\" and the Int 2 cannot be compared.")
    #expect(message([[1], 2] as [Any], "@unionOfArrays.self")?.contains("element 1 holds the Int 2") == true)
    #expect(message([[1], [nil]] as [[Int?]], "@unionOfArrays.self")?.contains("element 1 has a nil member") == true)
  }

  @Test("OP.2: an operator in an operator names both elements; an element of a set has no index")
  func nested() {
    let deep: [[Any]] = [[1], [1, "x"]]
    #expect(message(deep, "@sum.@sum.self") == "@sum: element 1: @sum: element 1: the String \"x\" is not a number.")
    #expect(message(Set(["x"]), "@sum.self") == "@sum: an element: the String \"x\" is not a number.")
    #expect(message(Set(["x"]), "@sum.price")?.hasPrefix("@sum: an element: undefined key") == true)
  }

  @Test("OP.2: the parts of the error are those of the key that failed")
  func parts() {
    let error = failure { () throws(KVError) in try value(operatorItems(), "@sum.prise") }
    #expect(error?.code == .undefinedKey)
    #expect(error?.component == "prise")
    #expect(error?.suggestion == "price")
    #expect(error?.keyPath == "@sum.prise")
  }

  @Test("OP.4: NaN cannot be compared, at whatever index it is and however the numbers are stored")
  func notANumber() throws {
    for values in [[Double.nan, 1, 2], [1, .nan, 2], [1, 2, .nan], [.nan, .nan]] {
      for name in ["min", "max"] {
        #expect(code(values, "@\(name).self") == .operatorFailed, "\(values)")
        #expect(code(values.map { Reading(value: $0) }, "@\(name).value") == .operatorFailed, "\(values)")
        #expect(code(values.map { ShopItem("x", price: $0) }, "@\(name).price") == .operatorFailed, "\(values)")
      }
    }
    #expect((try value([Reading(value: .nan)], "@max.value") as? Double)?.isNaN == true)
  }
}
