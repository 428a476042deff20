import KVCore
import Testing

@Suite("OP.5: unions")
struct OperatorUnionTests: OperatorSuite {
  private let items = operatorItems()

  @Test(
    "OP.5: the unions throw on a nil leaf",
    arguments: [
      "unionOfObjects", "distinctUnionOfObjects", "unionOfArrays", "distinctUnionOfArrays", "unionOfSets",
      "distinctUnionOfSets",
    ])
  func nilLeaves(_ name: String) {
    let lines = [ShopLine(count: 1, price: 1, discount: 3), ShopLine(count: 1, price: 1, discount: nil)]
    if name.hasSuffix("Objects") {
      let error = #expect(throws: KVError.self) { try value(lines, "@\(name).discount") }
      #expect(
        error?.message
          == "@\(name): element 1 has a nil value, which cannot be part of a union; filter such elements first.")
    } else {
      #expect(code([["a": [1]], [:]], "@\(name).a") == .operatorFailed)
      #expect(code([[1, nil]] as [[Int?]], "@\(name).@self") == .operatorFailed)
    }
    #expect(code([items[0], nil], "@\(name).parts") == .operatorFailed)
  }

  @Test("OP.5: distinct keeps first-seen order, and distinguishes values as CO.7 does")
  func distinct() throws {
    #expect(try value([3, 1, 3, 2, 1], "@distinctUnionOfObjects.@self") as? [Int] == [3, 1, 2])
    let mixed = try #require(try value([1, 1.0, "1", 2] as [Any], "@distinctUnionOfObjects.@self") as? [Any])
    #expect(KVC.areEqual(mixed, [1, "1", 2] as [Any]))
    let truths = try #require(try value([1, true, 0, false] as [Any], "@distinctUnionOfObjects.@self") as? [Any])
    #expect(KVC.areEqual(truths, [1, 0]))
    let objects = try #require(
      try value([items[0], items[1], items[0]], "@distinctUnionOfObjects.@self") as? [ShopItem])
    #expect(objects.map(\.name) == ["tea", "coffee"])
    let nested = try value([[1], [1.0], [2]] as [Any], "@distinctUnionOfObjects.@self") as? [Any]
    #expect(nested?.count == 2)
    let structs = [ShopLine(count: 1, price: 1), ShopLine(count: 1, price: 1)]
    #expect((try value(structs, "@distinctUnionOfObjects.@self") as? [Any])?.count == 2)
  }

  @Test("OP.5, SRT.8: NaN is one value for unions and groups, and what contains NaN equals nothing")
  func notANumber() throws {
    let values: [Any] = [Double.nan, 1, Float.nan, [Double.nan], [Double.nan], 1]
    #expect((try value(values, "@distinctUnionOfObjects.@self") as? [Any])?.count == 4)
    #expect(try values.grouped(by: "self").map(\.elements.count) == [2, 2, 1, 1])
  }

  @Test("OP.5: the distinct members of sets are those of CO.7, and NaN is one value")
  func distinctMembers() throws {
    let sets = [[Double.nan], [Double.nan, 1], [Float.nan], [Int8(1)], [true], ["1"]] as [Set<AnyHashable>]
    let members = try #require(try value(sets, "@distinctUnionOfSets.@self") as? Set<AnyHashable>)
    #expect(members.count == 3)
    #expect(members.contains(1) && members.contains("1"))
    let lists = sets.map { Array($0) }
    #expect((try value(lists, "@distinctUnionOfArrays.@self") as? [Any])?.count == 3)
  }

  @Test("OP.5: the Sets forms yield sets, and need hashable members")
  func setForms() throws {
    #expect(try value([[1, 2], [2]], "@unionOfSets.@self") is Set<AnyHashable>)
    #expect(try value([[1, 2], [2]], "@distinctUnionOfSets.@self") is Set<AnyHashable>)
    #expect(code([[ShopLine(count: 1, price: 1)]], "@unionOfSets.@self") == .operatorFailed)
  }

  @Test(
    "OP.5: the Arrays and Sets forms need collections on the right",
    arguments: [
      "unionOfArrays", "distinctUnionOfArrays", "unionOfSets", "distinctUnionOfSets",
    ])
  func memberCollections(_ name: String) {
    #expect(code(items, "@\(name).name") == .operatorFailed)
    #expect(code([["a": ["x": 1]]], "@\(name).a") == .operatorFailed)
  }
}
