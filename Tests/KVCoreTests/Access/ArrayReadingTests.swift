import KVCore
import Testing

@Suite("KVC.5: arrays that a table lists are read as their own type")
struct ArrayReadingTests {
  private func shelf(_ sizes: Int...) -> Crate {
    let shelf = Crate()
    shelf.parcels = sizes.map { Parcel($0) }
    shelf.stamps = sizes.map { Stamp(size: $0) }
    return shelf
  }

  @Test("KVC.5: the values of a key come as an array of their type, of a wider one, or boxed")
  func values() throws {
    let shelf = shelf(3, 1, 2)
    for _ in 0..<2 {
      #expect(try shelf.value(forKeyPath: "parcels.size", as: [Int].self) == [3, 1, 2])
      #expect(try shelf.value(forKeyPath: "stamps.size", as: [Int].self) == [3, 1, 2])
      #expect(try shelf.value(forKeyPath: "parcels.size", as: [Double].self) == [3, 1, 2])
      #expect(try shelf.value(forKeyPath: "parcels.size", as: [Int?].self) == [3, 1, 2])
      #expect(try shelf.value(forKeyPath: "parcels.size", as: [Any].self) as? [Int] == [3, 1, 2])
      #expect(try shelf.value(forKeyPath: "parcels.size", as: Set<Int>.self) == [1, 2, 3])
      #expect(try shelf.value(forKeyPath: "parcels.size") as? [Int] == [3, 1, 2])
      #expect(try shelf.value(forKeyPath: "stamps.size") as? [Int] == [3, 1, 2])
    }
    #expect(try Crate().value(forKeyPath: "parcels.size", as: [Int].self) == [])
    #expect(try Crate().value(forKeyPath: "stamps.size", as: [Int].self) == [])
  }

  private final class Text: KVObject {
    let length: Int

    init(_ length: Int) { self.length = length }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Text.self) { key in key("length", \.length) }
    }
  }

  private final class Page: KVObject {
    let texts = [Text(1), Text(2)]

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Page.self) { key in key("texts", \.texts).lenient() }
    }
  }

  @Test("TAB.9: the options of an array's key are for its elements, and not for what is read of them")
  func options() throws {
    let page = Page()
    #expect(throws: KVError.self) { try page.value(forKeyPath: "texts.length", as: [String].self) }
    #expect(throws: KVError.self) { try page.value(forKeyPath: "texts.@sum.length", as: String.self) }
    #expect(throws: KVError.self) { try page.value(forKeyPath: "texts.@count", as: String.self) }
    #expect(try page.value(forKeyPath: "texts.@sum.length", as: Int.self) == 3)
  }

  @Test("KVC.5: a value that does not fit names its element")
  func unfittingValues() throws {
    let shelf = shelf(1, 300)
    #expect(throws: KVError.self) { try shelf.value(forKeyPath: "parcels.size", as: [Int8].self) }
    #expect(throws: KVError.self) { try shelf.value(forKeyPath: "parcels.label", as: [String].self) }
    #expect(try shelf.value(forKeyPath: "parcels.label", as: [String?].self) == [nil, nil])
  }

  @Test("KVC.5: elements of subclasses are asked by their own tables")
  func subclasses() throws {
    let shelf = shelf(1, 2)
    shelf.parcels.insert(DoubleParcel(5), at: 1)
    for _ in 0..<2 {
      #expect(try shelf.value(forKeyPath: "parcels.size", as: [Int].self) == [1, 10, 2])
      #expect(try shelf.value(forKeyPath: "parcels.@sum.size", as: Int.self) == 13)
      #expect(try shelf.value(forKeyPath: "parcels[1].size", as: Int.self) == 10)
    }
  }

  @Test("KVC.5: an element without the key is answered by its hook, and an array of optionals keeps its nils")
  func otherElements() throws {
    let shelf = shelf(1)
    shelf.slots = [Parcel(4), nil]
    #expect(try shelf.value(forKeyPath: "slots.size") as? [Int?] == [4, nil])
    #expect(try shelf.value(forKeyPath: "slots.size", as: [Int?].self) == [4, nil])
    #expect(try shelf.value(forKeyPath: "slots[0].size", as: Int.self) == 4)
    #expect(try shelf.value(forKeyPath: "slots[1].size", as: Int?.self) == nil)
    #expect(try shelf.value(forKeyPath: "slots.@count", as: Int.self) == 2)
    #expect(try shelf.value(forKeyPath: "slots.@sum.size", as: Int.self) == 4)
    #expect(try shelf.value(forKeyPath: "parcels.colour", as: [String].self) == ["colour?"])
    #expect(try shelf.value(forKeyPath: "others.size", as: [Int].self) == [7])
    #expect(try shelf.value(forKeyPath: "others[0].size", as: Int.self) == 7)
    #expect(try shelf.value(forKeyPath: "part.size", as: [Int].self) == [8])
    #expect(try shelf.value(forKeyPath: "part[0].size", as: Int.self) == 8)
    #expect(try shelf.value(forKeyPath: "nothing.@count", as: Int?.self) == nil)
    #expect(try shelf.value(forKeyPath: "nothing.size", as: [Int]?.self) == nil)
  }

  @Test("KVC.1: a getter is called once a read")
  func getterCalls() throws {
    let shelf = shelf(1, 2)
    let reads: [String: Any] = [
      "made.@count": 2, "made.size": [1, 2], "made[1].size": 2, "made.@sum.size": 3, "made.@max.size": 2,
      "made.@firstObject.size": 1, "made.marks": [[1], [2]],
    ]
    for (path, expected) in reads {
      let before = shelf.calls
      #expect(KVC.areEqual(try shelf.value(forKeyPath: path), expected), "\(path)")
      #expect(shelf.calls == before + 1, "\(path)")
    }
    for path in ["made[2]", "made[2].size", "made.nonsense.x"] {
      let before = shelf.calls
      #expect(throws: KVError.self) { try shelf.value(forKeyPath: path) }
      #expect(shelf.calls == before + 1, "\(path)")
    }
  }

  @Test("KVC.6: an index out of range throws the same behind an array of a table as in any array")
  func indexes() throws {
    let shelf = shelf(1, 2)
    for path in ["[2]", "[2].size"] {
      let listed = #expect(throws: KVError.self) { try shelf.value(forKeyPath: "parcels" + path) }
      let plain = #expect(throws: KVError.self) { try shelf.parcels.value(forKeyPath: path) }
      #expect(listed?.code == .indexOutOfRange)
      #expect(listed?.message == plain?.message)
    }
    #expect(try shelf.value(forKeyPath: "parcels[1]", as: Parcel.self) === shelf.parcels[1])
    #expect(try shelf.value(forKeyPath: "parcels.self", as: [Parcel].self).count == 2)
    #expect(try shelf.value(forKeyPath: "parcels.marks.@count", as: Int.self) == 2)
    #expect(try shelf.value(forKeyPath: "parcels.@unionOfArrays.marks", as: [Int].self) == [1, 2])
    #expect(try shelf.value(forKeyPath: "parcels.@self.size", as: [Int].self) == [1, 2])
  }

  @Test("CO.3: the line of an array converts its elements, and not what is computed of them")
  func lines() throws {
    let shelf = shelf(1, 2)
    shelf.numbers = [4, 5]
    #expect(try shelf.value(forKeyPath: "numbers[1]", as: String.self) == "5")
    #expect(throws: KVError.self) { try shelf.value(forKeyPath: "numbers.@count", as: String.self) }
    #expect(throws: KVError.self) { try shelf.value(forKeyPath: "numbers.@firstObject", as: String.self) }
    #expect(throws: KVError.self) { try shelf.value(forKeyPath: "parcels[0].size", as: String.self) }
  }

  @Test("KVC.5: a key of elements is set and validated as before")
  func writing() throws {
    let shelf = shelf(1, 2)
    try shelf.setValue(9, forKeyPath: "parcels.size")
    try shelf.setValue(8, forKeyPath: "stamps.size")
    try shelf.setValue(7, forKeyPath: "stamps[1].size")
    #expect(shelf.parcels.map(\.size) == [9, 9] && shelf.stamps.map(\.size) == [8, 7])
    #expect(try KVC.canConvert(3, forKeyPath: "stamps[0].size", of: shelf))
    #expect(try !KVC.canConvert("x", forKeyPath: "stamps[0]", of: shelf))
  }

  @Test("KVC.3: the entries of dictionaries of values are read by their names only")
  func dictionaries() throws {
    let dictionary: [String: Any] = ["a": 1, "self": 2, "b": ["c": Optional(3) as Any], "@d": 4]
    #expect(try KVC.value(of: dictionary, forKeyPath: "a", as: Int.self) == 1)
    #expect(try KVC.value(of: dictionary, forKeyPath: "a", as: Double.self) == 1)
    #expect(try KVC.value(of: dictionary, forKeyPath: "self", as: Int.self) == 2)
    #expect(try KVC.value(of: ["a": 1] as [String: Any], forKeyPath: "self") is [String: Any])
    #expect(try KVC.value(of: dictionary, forKeyPath: "b.c", as: Int.self) == 3)
    #expect(try KVC.value(of: dictionary, forKeyPath: "missing", as: Int?.self) == nil)
    #expect(try KVC.value(of: dictionary, forKeyPath: "@count", as: Int.self) == 4)
    #expect(try KVC.value(of: Optional(dictionary) as Any, forKeyPath: "a") as? Int == 1)
    let nested: [String: Any] = ["list": [["x": 1], ["x": 2]]]
    #expect(try KVC.value(of: nested, forKeyPath: "list.x", as: [Int].self) == [1, 2])
  }
}

/// An element with a key of a table, and a hook for others.
private class Parcel: KVObject {
  @KVProperty var size: Int
  var label: String?
  var marks: [Int] { [size] }

  init(_ size: Int) { self.size = size }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Parcel.self) { key in
      key("size", \.size)
      key("label", \.label)
      key("marks", \.marks)
    }
  }

  override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    if key == "nonsense" { throw KVError(.undefinedKey, "nonsense") }
    return key + "?"
  }
}

/// An element that overrides the property.
private final class DoubleParcel: Parcel {
  override var size: Int {
    get { super.size * 2 }
    set { super.size = newValue }
  }
}

/// An element that is a struct.
private struct Stamp: KeyValueCoding {
  var size = 0

  static var keyTable: KVTable { KVTable(Stamp.self) { key in key("size", \.size) } }
}

/// An object with arrays of all kinds.
private final class Crate: KVObject {
  @KVProperty var parcels: [Parcel] = []
  @KVProperty var stamps: [Stamp] = []
  @KVProperty var numbers: [Int] = []
  var slots: [Parcel?] = []
  var others: ContiguousArray = [Stamp(size: 7)]
  var part: ArraySlice<Parcel> = [Parcel(0), Parcel(8)][1...]
  var nothing: [Parcel]?
  private(set) var calls = 0
  var made: [Parcel] {
    calls += 1
    return parcels
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Crate.self) { key in
      key("parcels", \.parcels)
      key("stamps", \.stamps)
      key("numbers", \.numbers).lenient()
      key("slots", \.slots)
      key("others", \.others)
      key("part", \.part)
      key("nothing", \.nothing)
      key("made", \.made)
    }
  }
}
