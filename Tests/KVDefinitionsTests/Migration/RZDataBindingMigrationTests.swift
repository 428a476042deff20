import Foundation
import KVBinding
import KVCore
import KVDocuments
import TestModels
import Testing

// The code of Docs/Migrating/FromRZDataBinding.md.

extension KVAction<RZDataBindingMigrationTests.User> {
  fileprivate static var updateFullName: KVAction {
    KVAction("updateFullName") { $0.fullName = "\($0.firstName) \($0.lastName)" }
  }
}

extension KVAction<RZDataBindingMigrationTests.Screen> {
  fileprivate static var reload: KVAction { KVAction("reload", perform: { $0.reload() }) }
  fileprivate static var changed: KVAction { KVAction("changed", perform: { $0.changed($1) }) }
}

private protocol Named {
  var name: String { get }
}

extension RZDataBindingMigrationTests {
  fileprivate struct Swatch: Equatable {
    let hex: UInt32
  }

  @KVModel fileprivate final class User: KVObject {
    var firstName = ""
    var lastName = ""
    var fullName = ""
    var age: UInt = 0
    @KVKey(.alias("color")) var favoriteColorHex: UInt32 = 0

    init(json: Data) throws {
      super.init()
      try addTarget(self, .updateFullName, forKeyPaths: ["firstName", "lastName"])
      let values = try KVDocument(data: json).root as? [String: Any]
      try setValues(forKeys: values ?? [:])
    }
  }

  @KVModel fileprivate final class Row: KVObject {
    var text: String?
    var detail: String?
    var image: Swatch?

    func show(_ user: User) throws {
      unbindAll()
      try bind("text", to: "fullName", of: user)
      try bind("image", to: "favoriteColorHex", of: user) { (hex: UInt32) in Swatch(hex: hex) }
      try bind("detail", to: "age", of: user) { (age: UInt) in "\(age)" }
    }
  }

  @KVModel fileprivate final class Detail: KVObject {
    var steps = 0.0
    var ageText = ""
    var background: Swatch?

    func edit(_ user: User) throws {
      steps = Double(user.age)
      try bind("ageText", to: "steps", of: self) { (steps: Double) in "\(Int(steps))" }
      try user.bind("age", to: "steps", of: self)
      try bind("background", to: "favoriteColorHex", of: user) { (hex: UInt32) in Swatch(hex: hex) }
    }
  }

  /// A target that writes down what it is called for.
  fileprivate final class Screen {
    var lines: [String] = []

    func reload() { lines.append("reload") }
    func changed(_ change: KVChange) { lines.append(brief(change)) }

    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }
}

@Suite("Migrating from RZDataBinding")
struct RZDataBindingMigrationTests {
  private let user: User
  private let screen = Screen()

  init() throws {
    user = try User(
      json: Data(#"{"firstName": "Alex", "lastName": "Rawss", "age": 34, "color": 16711680}"#.utf8))
  }

  @Test("BND.6, BND.9, TGT.1: the demo: rows and detail follow a user, the detail changes it")
  func demo() throws {
    let row = Row()
    let detail = Detail()
    try row.show(user)
    try detail.edit(user)
    #expect(row.text == "Alex Rawss" && row.detail == "34" && row.image == Swatch(hex: 0xFF0000))
    detail.steps += 1
    user.firstName = "Jess"
    user.favoriteColorHex = 0x00FF00
    #expect(user.age == 35 && detail.ageText == "35" && detail.background == Swatch(hex: 0x00FF00))
    #expect(row.text == "Jess Rawss" && row.detail == "35" && row.image == Swatch(hex: 0x00FF00))
    let other = try User(json: Data("{}".utf8))
    try row.show(other)
    user.age = 1
    #expect(row.text == "" && row.detail == "0", "a row that is used again has forgotten the first user")
  }

  @Test("TGT.2, TGT.3, TGT.4: targets and actions: immediate calls, removal, equal values")
  func targets() throws {
    try user.addTarget(screen, .reload, forKeyPaths: ["firstName", "age"], options: .initial)
    try user.addTarget(screen, .changed, forKeyPaths: ["firstName", "age"], options: .initial)
    #expect(screen.take() == ["reload", "firstName setting initial nil → Alex", "age setting initial nil → 34"])
    user.firstName = "Alex"
    #expect(screen.take() == ["reload", "firstName setting Alex → Alex"])
    try user.removeTarget(screen, .reload, forKeyPath: "firstName")
    user.firstName = "Jess"
    #expect(screen.take() == ["firstName setting Alex → Jess"])
    try user.removeTarget(screen, forKeyPath: "age")
    user.age += 1
    #expect(screen.take().isEmpty)
    let row = Row()
    try row.bind("text", to: "firstName", of: user)
    try user.removeTarget(row, forKeyPath: "firstName")
    user.firstName = "Andy"
    #expect(row.text == "Andy", "bindings are not removed with targets")
    #expect(throws: KVError.self) { try user.addTarget(screen, .reload, forKeyPath: "firstNmae") }
  }

  @Test("KVO.7, TGT.3: an action that removes itself in its immediate call is removed")
  func removalInside() throws {
    let once = KVAction("once") { (screen: Screen, change: KVChange) in
      screen.lines.append("once")
      try? (change.object as? User)?.removeTarget(screen, forKeyPath: "age")
    }
    try user.addTarget(screen, once, forKeyPath: "age", options: .initial)
    user.age += 1
    #expect(screen.take() == ["once"])
  }

  @Test("COA.2, COA.3, COA.4, COA.6: coalescing: proxies, merging, no net change, targets that are deallocated")
  func coalescing() throws {
    try user.addTarget(screen, .reload, forKeyPaths: ["firstName", "lastName"], options: .coalesced)
    try user.addTarget(screen, .changed, forKeyPath: "age", options: .coalesced)
    KVCoalescing.coalesce {
      user.firstName = "Jess"
      user.lastName = "Wilson"
      user.age = 28
      user.age = 34
    }
    #expect(screen.take() == ["reload", "age setting 34 → 34"])
    KVCoalescing.commit()
    user.removeTarget(screen, .reload, forKeyPaths: ["firstName", "lastName"])
    user.firstName = "Andy"
    #expect(screen.take().isEmpty)

    var other: Screen? = Screen()
    weak let witness = other
    if let other { try user.addTarget(other, .reload, forKeyPath: "age", options: .coalesced) }
    KVCoalescing.coalesce {
      user.age = 1
      other = nil
    }
    #expect(try witness == nil && KVDiagnostics.observations(of: user, forKeyPath: "age").count == 1)
  }

  @Test("BND.2, BND.3, BND.9: nil and bindings: what throws, what cures it; what unbind leaves")
  func nilValues() throws {
    let row = Row()
    row.text = nil
    let error = #expect(throws: KVError.self) { try user.bind("lastName", to: "text", of: row) }
    #expect(error?.code == .nilValue && user.bindings.isEmpty)
    try user.bind("age", to: "detail", of: row, options: .init(transformer: .nilToZero))
    #expect(user.age == 0)
    try user.bind("lastName", to: "text", of: row, options: .init(nullPlaceholder: "?"))
    #expect(user.lastName == "?")
    try user.unbind("lastName", from: "text", of: row)
    row.text = "b"
    #expect(user.lastName == "?")
  }

  @Test("KP.8, TRN.2: key paths that are checked, and the transforms")
  func macrosAndTransforms() throws {
    #expect(try KVTypedKeyPath(User.self).favoriteColorHex.keyPath() == "favoriteColorHex")
    #expect(try KVTypedKeyPath(type(of: user)).step(\.firstName, "firstName").keyPath() == "firstName")
    #expect(try KVTypedKeyPath((any Named).self).step(\.name, "name").keyPath() == "name")
    #expect(try KVKeyPath("user").appending("name" as KVKeyPath) == "user.name")
    let results: [Any?] = try [
      KVTransformer.nilToZero.transform(nil), KVTransformer.nilToOne.transform(nil),
      KVTransformer.nilTo(CGSize.zero).transform(nil), KVTransformer.nilTo(CGRect.null).transform(nil),
      KVTransformer.negateBoolean.transform(nil), KVTransformer.oneMinus.transform(0.25),
      KVTransformer.bitwiseComplement.transform(nil),
    ]
    #expect(results[0] as? Int == 0 && results[1] as? Int == 1)
    #expect(results[2] as? CGSize == .zero && (results[3] as? CGRect)?.isNull == true)
    #expect(results[4] as? Bool == true && results[5] as? Double == 0.75 && results[6] as? Int64 == -1)
  }
}
