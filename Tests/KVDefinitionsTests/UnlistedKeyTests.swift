import KVBinding
import KVCore
import KVDefinitions
import TestModels
import Testing

@Suite("Paths from outside and private state")
struct UnlistedKeyTests {
  struct Secret {
    var code = "1234"
  }

  final class Account: KVObject {
    @Boxed private var isAdmin = false
    private var password = "hunter2"
    @KVProperty private var token = "tok"
    private var secret = Secret()
    @KVProperty var label = ""
    @KVProperty var hint: String?
    @KVProperty var friend: Account?
    @KVProperty var friends: [Account] = []
    @KVProperty var notes: [String: String] = ["password": "an entry"]

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Account.self) { key in
        key("label", \.label)
        key("hint", \.hint)
        key("friend", \.friend)
        key("friends", \.friends)
        key("notes", \.notes)
        key("kept") { $0.secret }
      }
    }
  }

  let account = Account()

  private func bind(_ definition: KVBindingDefinition, allows: Bool = false) throws(KVBindingFaults) -> KVBindingSet {
    try KVBindingSet([definition], owner: account, options: .init(allowsReflection: allows))
  }

  @Test(
    "DEF.5: a definition does not read a stored property that no table lists",
    arguments: [
      "password", "token", "secret.code", "friend.password", "friends.password", "friends.@unionOfObjects.password",
      "friends[0].token", "friend[\"password\"]", "kept.code", "self.password",
    ])
  func reading(path: String) throws {
    (account.friend, account.friends) = (Account(), [Account()])
    for direction in [KVBindingDirection.once, .oneWay, .twoWay] {
      let definition = KVBindingDefinition(try KVKeyPath(path), to: "label", direction: direction)
      let faults = #expect(throws: KVBindingFaults.self) { try bind(definition) }
      let error = faults?.faults.first?.underlying as? KVError
      #expect(error?.code == .unlistedKey, "\(path): \(String(describing: faults))")
      #expect(account.label == "")
    }
  }

  @Test("DEF.5: the error names the line for the table, and the option, which works")
  func cure() throws {
    let definition = KVBindingDefinition("password", to: "label", direction: .once)
    let faults = #expect(throws: KVBindingFaults.self) { try bind(definition) }
    let error = faults?.faults.first?.underlying as? KVError
    #expect(
      error?.message == """
        key "password" of Account is in no table, and definitions and bindTo reach keys of tables only: add it to the \
        keyTable, as key("password", \\.password), or allow reflection with the option allowsReflection.
        """)
    _ = try bind(definition, allows: true)
    #expect(account.label == "hunter2")
    // Entries are data, and what the program itself binds is not restricted.
    _ = try bind(KVBindingDefinition("notes.password", to: "label", direction: .once))
    #expect(account.label == "an entry")
    try account.bind("label", to: "password", of: account, options: .once)
    #expect(account.label == "hunter2")
  }

  @Test("DEF.5: a definition does not set a stored property that no table lists")
  func writing() throws {
    let definition = KVBindingDefinition("hint", to: "isAdmin", direction: .oneWay, nullPlaceholder: true)
    #expect(throws: KVBindingFaults.self) { try bind(definition) }
    #expect(try account.value(forKey: "isAdmin") as? Bool == false)
    _ = try bind(definition, allows: true)
    #expect(try account.value(forKey: "isAdmin") as? Bool == true)
  }

  @Test("DEF.5: an object that appears later is protected, too")
  func later() throws {
    let reading = try bind(KVBindingDefinition(key: "r", "friend.password", to: "label"))
    let writing = try bind(
      KVBindingDefinition(
        key: "w", "hint", to: "friend.isAdmin", initialSync: KVInitialSync.none, nullPlaceholder: true))
    let friend = Account()
    _ = capturingEvents {
      account.friend = friend
      account.hint = nil
    }
    #expect(account.label == "" && reading.binding(forKey: "r")?.lastError?.code == .unlistedKey)
    #expect(try friend.value(forKey: "isAdmin") as? Bool == false)
    #expect(writing.binding(forKey: "w")?.lastError?.code == .unlistedKey)
  }

  @Test("DEF.5: the objects of definitions are found by keys of tables")
  func objects() throws {
    let definition = KVBindingDefinition("code", ofSource: "secret", to: "label")
    let faults = #expect(throws: KVBindingFaults.self) { try bind(definition) }
    #expect((faults?.faults.first?.underlying as? KVError)?.code == .unlistedKey)
  }

  final class Badge: KVNode {
    @KVProperty var text = ""
    private var hidden: KVNode? { parent }
    private var link: KVNode?
    @Boxed private var isOpen = "no"
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Badge.self) { key in key("text", \.text) }
    }
    func connect() { link = parent }
  }

  @Test("DEF.5: declarations of a tree reach keys of tables only")
  func trees() throws {
    let (root, badge) = (KVNode(), Badge())
    root.addChild(badge)
    badge.connect()
    root.dataObject = account
    for (declaration, path) in [
      ("@superview.dataObject.password", "text"), ("@superview.password", "text"), ("link.dataObject.label", "text"),
      ("@superview.dataObject.label", "isOpen"),
    ] {
      let error = #expect(throws: KVError.self) { try badge.bindTo(declaration, path) }
      #expect(error?.code == .unlistedKey, "\(declaration)")
      #expect(throws: KVError.self) { try badge.bindTo(attributes: [declaration: path]) }
    }
    #expect(badge.text == "" && badge.bindings.isEmpty)
    try badge.bindTo("link.dataObject.token", "text", options: .init(allowsReflection: true))
    #expect(badge.text == "tok")
  }
}
