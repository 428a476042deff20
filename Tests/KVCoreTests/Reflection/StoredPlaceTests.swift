import KVCore
import Synchronization
import Testing

/// Stored properties of all kinds, read by reflection at their places or by a mirror (KVC.2).
@Suite("KVC.2: stored properties of every kind are reflected")
struct StoredPlaceTests {
  @Test("KVC.2: values, objects, optionals and existentials of a class and its superclass")
  func classes() throws {
    let friend = PlaceBase()
    let owner = PlaceDerived(friend)
    for round in 1...2 {
      owner.number = round
      owner.text = round == 1 ? nil : "long enough to be stored on the heap"
      owner.any = round == 1 ? 1 : "two"
      #expect(try read("number", owner) as? Int == round)
      #expect(try read("base", owner) as? [Int] == [1, 2])
      #expect(try read("text", owner) as? String == owner.text)
      #expect(try read("pair", owner).map { "\($0)" } == "(left: 1, right: \"r\")")
      #expect(try read("state", owner).map { "\($0)" } == "on(2)")
      #expect(try read("any", owner).map { "\($0)" } == "\(owner.any)")
      #expect(try read("hashable", owner) as? Int == 3)
      #expect(try read("nested", owner) as? Int == 4)
      #expect(try read("friend", owner) as? PlaceBase === friend)
      #expect(try read("owned", owner) as? PlaceBase === friend)
      #expect(try read("named", owner).map { "\($0)" } == "named")
      #expect(try read("flag", owner) as? Bool == true)
      #expect(try read("wrapped", owner) as? Int == 5)
      #expect(try read("same", owner) as? String == "derived")
    }
  }

  @Test("KVC.2: weak references are read as what they refer to, also once that is gone")
  func weakReferences() throws {
    var friend: PlaceBase? = PlaceBase()
    let owner = PlaceWeak(friend)
    #expect(try read("friend", owner) as? PlaceBase === friend)
    #expect(try read("delegate", owner) as? PlaceBase === friend)
    friend = nil
    #expect(try read("friend", owner) == nil)
    #expect(try read("delegate", owner) == nil)
    #expect(try read("last", owner) as? Int == 9)
  }

  @Test("KVC.2: what cannot be copied has no value, and does not move its neighbours")
  func noncopyable() throws {
    let owner = PlaceCounter()
    #expect(try read("before", owner) as? Int == 1)
    #expect(try read("after", owner) as? String == "after")
  }

  @Test("KVC.2: structs and generic types")
  func values() throws {
    let small = PlaceStruct(first: 1, second: "two", third: 3.5)
    #expect(try read("first", small) as? Int8 == 1)
    #expect(try read("second", small) as? String == "two")
    #expect(try read("third", small) as? Double == 3.5)
    #expect(try read("value", PlaceBox(value: "a", tail: 1)) as? String == "a")
    #expect(try read("tail", PlaceBox(value: small, tail: 1)) as? Int == 1)
    #expect(try KVC.value(of: PlaceBox(value: small, tail: 1), forKeyPath: "value.second", as: String.self) == "two")
  }

  @Test("KVC.5, KVC.17: properties of elements are those of each element, typed and not, also for operators")
  func elements() throws {
    let values = (1...4).map { PlaceStruct(first: Int8($0), second: "number \($0)", third: Double($0) / 2) }
    #expect(try read("second", values) as? [String] == values.map(\.second))
    #expect(try KVC.value(of: values, forKeyPath: "second", as: [String].self) == values.map(\.second))
    #expect(try KVC.value(of: values, forKeyPath: "first", as: [Int].self) == [1, 2, 3, 4])
    #expect(try KVC.value(of: values, forKeyPath: "@sum.third") as? Double == 5)
    #expect(try KVC.value(of: values, forKeyPath: "@max.first") as? Int8 == 4)
    #expect(try KVC.value(of: [values[0], nil, values[1]], forKeyPath: "@sum.third") as? Double == 1.5)

    let (base, derived) = (PlaceBase(), PlaceDerived(PlaceBase()))
    #expect(try read("same", [base, derived]) as? [String] == ["base", "derived"])
    #expect(try read("same", [derived, base]) as? [String] == ["derived", "base"])
    let error = #expect(throws: KVError.self) { try read("flag", [derived, base]) }
    #expect(error?.code == .undefinedKey)
    #expect(try read("text", [derived, derived]).map { "\($0)" } == "[nil, nil]")
    derived.text = "t"
    #expect(try KVC.value(of: [derived], forKeyPath: "text", as: [String].self) == ["t"])
    #expect(try KVC.value(of: [derived], forKeyPath: "wrapped", as: [Int].self) == [5])
    #expect(try KVC.value(of: [derived], forKeyPath: "hashable", as: [Int].self) == [3])
  }

  @Test("KVC.2, KVC.17: observable properties without a table, of values and of objects")
  func observable() throws {
    let (owner, friend) = (PlaceNode(), PlaceNode())
    #expect(try owner.value(forKey: "friend") == nil)
    owner.friend = friend
    owner.count = 3
    #expect(try owner.value(forKey: "friend") as? PlaceNode === friend)
    #expect(try owner.value(forKey: "friend", as: PlaceNode?.self) === friend)
    #expect(try owner.value(forKeyPath: "friend.count", as: Int.self) == 0)
    #expect(try owner.value(forKey: "count", as: Double.self) == 3)
    #expect(try owner.value(forKey: "any") as? Int == 1)
    #expect(try owner.value(forKey: "hashable", as: String.self) == "h")
    #expect(try KVC.value(of: [owner, friend], forKeyPath: "@sum.count") as? Int == 3)
    #expect(failure { () throws(KVError) in try owner.setValue(1, forKey: "count") }?.code == .notSettable)
  }

  @Test("SEC.1: a path with a policy reaches no reflected property, also once it was read without one")
  func policies() throws {
    let policy = KVPolicy("p", operators: ["sum"])
    let values = [PlaceStruct(first: 1, second: "two", third: 3.5)]
    #expect(try KVC.value(of: values, forKeyPath: "@sum.third") as? Double == 3.5)
    for text in ["third", "@sum.third"] {
      let path = try policy.keyPath(text)
      #expect(failure { () throws(KVError) in try KVC.value(of: values, forKeyPath: path) }?.code == .notPermitted)
    }
    let path = try policy.keyPath("third")
    let single = failure { () throws(KVError) in try KVC.value(of: values[0], forKeyPath: path, as: Double.self) }
    #expect(single?.code == .notPermitted)
    #expect(failure { () throws(KVError) in try KVC.value(of: values[0], forKeyPath: path) }?.code == .notPermitted)
  }

  @Test("KVC.18: an error names the keys that a value had when it was thrown")
  func errorsOfTheMoment() throws {
    let owner = PlaceChanging()
    let error = #expect(throws: KVError.self) { try KVC.value(of: owner, forKeyPath: "missing") }
    owner.label = "later"
    #expect(error?.knownKeys == ["first"])
    #expect(error?.message.contains("Known keys: first.") == true)
    #expect(error?.rootType == "PlaceChanging")
  }

  private func read(_ key: String, _ owner: Any) throws -> Any? { try KVC.value(of: owner, forKeyPath: KVKeyPath(key)) }
}

private protocol PlaceNamed: AnyObject {}

private class PlaceBase: PlaceNamed, CustomStringConvertible {
  private let base = [1, 2]
  private let same = "base"
  var description: String { "named" }
}

private final class PlaceDerived: PlaceBase {
  enum State { case off, on(Int) }

  var number = 0
  var text: String?
  let pair = (left: 1, right: "r")
  let state = State.on(2)
  var any: Any = 0
  let hashable: AnyHashable = 3
  let nested: Int?? = 4
  let friend: PlaceBase
  unowned let owned: PlaceBase
  let named: any PlaceNamed
  let flag = true
  @PlaceWrapper var wrapped = 5
  private let same = "derived"

  init(_ friend: PlaceBase) {
    self.friend = friend
    owned = friend
    named = friend
  }
}

private final class PlaceNode: KVObject {
  @KVProperty var count = 0
  @KVProperty var friend: PlaceNode?
  @KVProperty var any: Any = 1
  @KVProperty var hashable: AnyHashable = "h"
}

private final class PlaceWeak {
  weak var friend: PlaceBase?
  weak var delegate: (any PlaceNamed)?
  let last = 9

  init(_ friend: PlaceBase?) {
    self.friend = friend
    delegate = friend
  }
}

private final class PlaceCounter: Sendable {
  let before = 1
  let count = Atomic<Int>(2)
  let after = "after"
}

private struct PlaceStruct {
  let first: Int8
  let second: String
  let third: Double
}

private struct PlaceBox<Value> {
  let value: Value
  let tail: Int
}

@propertyWrapper
private struct PlaceWrapper: KVReflectedProperty {
  var wrappedValue: Int
}

private final class PlaceChanging: CustomReflectable {
  var label = "first"
  var customMirror: Mirror { Mirror(self, children: [label: 1]) }
}
