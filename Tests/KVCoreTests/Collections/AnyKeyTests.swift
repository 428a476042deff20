import Testing

@testable import KVCore

private enum Suit: String { case hearts }
private struct Nameless: Hashable {}

/// Dictionaries whose keys are of any type.
private final class Drawer: KVObject {
  var things: [AnyHashable: Any] = [1: "one", 1.5: "half", true: "yes", Suit.hearts: "red", "name": "drawer"]
  var doubles: [String: Double] = [:]
  var numbers: [Int: Int] = [:]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Drawer.self) { key in
      key("things", \.things)
      key("doubles", \.doubles)
      key("numbers", \.numbers)
    }
  }
}

@Suite("KVC dictionaries whose keys are of any type")
struct AnyKeyTests {
  private let drawer = Drawer()
  private let clashing: [AnyHashable: Any] = [1: "number", "1": "text"]

  @Test("KVC.6: every entry that is named is found by its name")
  func reading() throws {
    let names = (drawer.things as any KeyedValue).entryNames
    #expect(names.sorted() == ["1", "1.5", "hearts", "name", "true"])
    for name in names { #expect(drawer.things.entry(name) != nil) }
    #expect(try drawer.value(forKeyPath: #"things["1.5"]"#) as? String == "half")
    #expect(try drawer.value(forKeyPath: "things.hearts") as? String == "red")
    #expect(try drawer.value(forKeyPath: "things.absent") == nil)
  }

  @Test("KVC.11: setting an entry sets the one of that name, whatever its key is")
  func writing() throws {
    for name in drawer.things.entryNames { try drawer.setValue("new", forKeyPath: KVKeyPath(#"things["\#(name)"]"#)) }
    #expect(drawer.things.count == 5)
    #expect(drawer.things[1.5] as? String == "new")
    #expect(drawer.things[Suit.hearts] as? String == "new")
    try drawer.setValue(0, forKeyPath: "things.fresh")
    #expect(drawer.things["fresh"] as? Int == 0)
  }

  @Test("KVC.11: setting nil removes the entry of that name, whatever its key is")
  func removing() throws {
    for name in drawer.things.entryNames { try drawer.setValue(nil, forKeyPath: KVKeyPath(#"things["\#(name)"]"#)) }
    #expect(drawer.things.isEmpty)
  }

  @Test("KVC.6: of two keys of one name the string is found")
  func clashes() throws {
    #expect(clashing.entryNames == ["1"])
    #expect(clashing.entry("1") as? String == "text")
    let changed = try clashing.settingEntry("1", to: nil) as? [AnyHashable: Any]
    #expect(changed?.count == 1)
    #expect(changed?[1] as? String == "number")
    #expect(changed?.entry("1") as? String == "number")
  }

  @Test("CO.6: a dictionary is not converted where entries would be lost")
  func converting() throws {
    let bad: [[AnyHashable: Any]] = [[1: 1.0, "1": 2.0], [Nameless(): 1.0, "a": 2.0]]
    for dictionary in bad {
      #expect(dictionary.namedEntries == nil)
      let error = failure { () throws(KVError) in try drawer.setValue(dictionary, forKey: "doubles") }
      #expect(error?.code == .typeMismatch)
    }
    let error = failure { () throws(KVError) in try drawer.setValue(["1": 1, "01": 2], forKey: "numbers") }
    #expect(error?.code == .typeMismatch)
    try drawer.setValue([1: 1, 1.5: 2] as [AnyHashable: Any], forKey: "doubles")
    #expect(drawer.doubles == ["1": 1, "1.5": 2])
    try drawer.setValue(["1": 1.0, "2": 2], forKey: "numbers")
    #expect(drawer.numbers == [1: 1, 2: 2])
  }

  @Test("KVC.6: a record takes over a dictionary only where all entries have names of their own")
  func records() throws {
    let record = try KVRecord(["clashing": clashing, "things": drawer.things])
    #expect((record["clashing"] as? [AnyHashable: Any])?.count == 2)
    #expect((record["things"] as? KVRecord)?.keys == ["1", "1.5", "hearts", "name", "true"])
  }

  @Test("CO.7: dictionaries of different key types are equal by names and values, if the names are distinct")
  func equality() {
    #expect(KVC.areEqual([1: "a"] as [AnyHashable: Any], ["1": "a"]))
    #expect(KVC.areEqual(["1": "a"], [1: "a"] as [AnyHashable: Any]))
    #expect(!KVC.areEqual([1: "a"] as [AnyHashable: Any], ["1": "a"] as [AnyHashable: Any]))
    #expect(!KVC.areEqual([1: "a"] as [AnyHashable: Any], ["2": "a"]))
    #expect(!KVC.areEqual(clashing, ["1": "text", "2": "number"]))
  }
}
