import KVCore
import Testing

@Suite("TAB values from dictionaries")
struct DictionaryConversionTests {
  private struct Address: KVDictionaryConvertible, Equatable {
    var city = ""
    var zip = 0
    var note: String? = "none"
    static var keyTable: KVTable {
      KVTable(Address.self) { key in
        key("city", \.city)
        key("zip", \.zip).lenient()
        key("note", \.note)
      }
    }
  }

  private final class Node: KVObject, KVDictionaryConvertible {
    @KVProperty var name = ""
    @KVProperty var children: [Node] = []
    @KVProperty var address: Address?

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Node.self) { key in
        key("name", \.name)
        key("children", \.children)
        key("address", \.address)
      }
    }
    required override init() { super.init() }
  }

  private let node = Node()

  @Test("TAB.10: a struct with a table is created from a dictionary")
  func structs() throws {
    try node.setValue(["city": "London", "zip": "8", "note": nil] as [String: Any?], forKey: "address")
    #expect(node.address == Address(city: "London", zip: 8, note: nil))
    try node.setValue(["city": "Rome"], forKey: "address")
    #expect(node.address == Address(city: "Rome"), "a new value, not the old one changed")
    try node.setValue(nil, forKey: "address")
    #expect(node.address == nil)
    #expect(try KVC.convert(["zip": 7.5], to: Address.self) == Address(zip: 7))
  }

  private final class Counted: KVObject, KVDictionaryConvertible {
    nonisolated(unsafe) static var made = 0
    @KVProperty var name = ""
    @KVProperty var child: Counted?
    @KVProperty var sizes: [Int] = []
    var sets = 0

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Counted.self) { key in
        key("name", \.name)
        key("child", \.child)
        key("sizes", \.sizes)
        key("refusing", { $0.sets }, set: { (owner: Counted, value: Int) throws in owner.sets += value })
      }
    }
    required override init() {
      Self.made += 1
      super.init()
    }
  }

  @Test("KVC.15, TAB.10: setValues creates each object once; canConvert sets nothing")
  func createdOnce() throws {
    let parent = Counted()
    Counted.made = 0
    try parent.setValues(forKeys: ["name": "a", "child": ["name": "b"], "sizes": [1.5, 2], "refusing": 2.9])
    #expect(Counted.made == 1)
    #expect(parent.child?.name == "b" && parent.sizes == [1, 2] && parent.sets == 2)
    try parent.setValues(forKeys: ["child": nil])
    #expect(parent.child == nil)
    #expect(try KVC.canConvert(["name": "c"], forKeyPath: "child", of: parent))
    #expect(try !KVC.canConvert(["nmae": "c"], forKeyPath: "child", of: parent))
    #expect(try KVC.canConvert(5, forKeyPath: "refusing", of: parent))
    #expect(parent.child == nil && parent.sets == 2)
    let hooked = Hooked()
    #expect(try KVC.canConvert("x", forKeyPath: "unknown", of: hooked))
    #expect(try !KVC.canConvert(nil, forKeyPath: "count", of: hooked))
    #expect(hooked.extras.isEmpty && hooked.count == 5)
  }

  @Test("TAB.10: objects, and arrays of them, are created from dictionaries")
  func objects() throws {
    let tree: [String: Any] = [
      "name": "root", "address": ["city": "Bern"],
      "children": [["name": "a"], ["name": "b", "children": [["name": "c"]]]],
    ]
    try node.setValues(forKeys: tree)
    #expect(node.name == "root")
    #expect(node.address?.city == "Bern")
    #expect(try node.value(forKeyPath: "children.name") as? [String] == ["a", "b"])
    #expect(node.children[1].children[0].name == "c")
    try node.mutableArray(forKey: "children").append(["name": "d"])
    #expect(node.children.last?.name == "d")
  }

  @Test("TAB.10: an entry that does not fit, or that is no key, refuses the dictionary and is named")
  func refusals() throws {
    node.address = Address(city: "Bern")
    let entry = #expect(throws: KVError.self) { try node.setValue(["zip": "x"], forKey: "address") }
    #expect(entry?.code == .typeMismatch)
    #expect(
      entry?.message == """
        cannot set "address" of Node: a value of type Dictionary<String, String> is not an Address: its entry "zip" does not \
        fit, the String "x" is not an Int: an integer such as 12 is expected.
        """)
    let key = #expect(throws: KVError.self) { try node.setValue(["town": "x"], forKey: "address") }
    #expect(key?.code == .typeMismatch)
    #expect(key?.message.contains("undefined key \"town\" of Address") == true)
    let null = #expect(throws: KVError.self) {
      try node.setValue(["city": nil] as [String: Any?], forKey: "address")
    }
    #expect(null?.message.contains("nil is not a String") == true)
    #expect(node.address == Address(city: "Bern"))
    #expect(throws: KVError.self) { try node.setValue([1], forKey: "address") }
  }

  @Test("TAB.10, KVC.18: dictionaries that are nested too deeply are refused")
  func depth() throws {
    func nested(_ depth: Int) -> [String: Any] {
      (0..<depth).reduce(["name": "leaf"]) { inner, _ in ["children": [inner]] }
    }
    try node.setValues(forKeys: nested(90))
    let error = #expect(throws: KVError.self) { try node.setValues(forKeys: nested(5_000)) }
    #expect(error?.code == .limitExceeded)
  }
}
