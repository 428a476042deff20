import KVCore
import TestModels
import Testing

@Suite("Tables: listed keys only")
struct ListedKeysOnlyTests {
  @Test(
    "TAB.5: what is not listed cannot be read, written or validated, and no message names it",
    arguments: [Vault(), DeepVault()])
  fileprivate func hidden(vault: Vault) throws {
    #expect(try vault.value(forKey: "label") as? String == "front")
    let errors = [
      failure { () throws(KVError) in try vault.value(forKey: "combination") },
      failure { () throws(KVError) in try vault.value(forKey: "combinatio") },
      failure { () throws(KVError) in try vault.value(forKeyPath: "combination.first") },
      failure { () throws(KVError) in try vault.setValue("0", forKey: "combination") },
      failure { () throws(KVError) in try vault.setValues(forKeys: ["combination": "0"]) },
      failure { () throws(KVError) in try vault.validate("0", forKeyPath: "combination") },
      failure { () throws(KVError) in try [vault].value(forKeyPath: "@max.combination") },
      failure { () throws(KVError) in try vault.value(forKey: "hint") },
      failure { () throws(KVError) in try vault.value(forKey: "boxed") },
      failure { () throws(KVError) in try vault.setValue(1, forKey: "boxed") },
    ]
    for error in errors {
      let error = try #require(error)
      #expect(error.code == .undefinedKey)
      #expect(error.knownKeys == ["label"] && error.suggestion == nil)
      let requested = try #require(error.component)
      let rest = error.description.replacing(requested, with: "")
      for secret in ["combination", "hint", "boxed", "1234", "reflection"] { #expect(!rest.contains(secret)) }
    }
  }

  @Test("TAB.5: what is not listed is not enumerated")
  func enumeration() throws {
    #expect(try KVC.keys(of: Vault()).map(\.name) == ["label"])
    #expect(try KVC.keys(of: DeepVault()).map(\.name) == ["label"])
    #expect(Vault.keyTable.listsAllKeys && DeepVault.keyTable.listsAllKeys && !Author.keyTable.listsAllKeys)
  }

  @Test("TAB.5: what is not listed does not serve as an affecting key")
  func affecting() throws {
    let error = try #require(failure { () throws(KVError) in try LeakyVault().value(forKey: "label") })
    #expect(error.message.contains(#""label" is affected by "combination", but there is no key "combination""#))
  }

  @Test("TAB.5: a subclass can begin to list only, for the properties of its superclass as well")
  func beginsLate() throws {
    #expect(try Open().value(forKey: "plain") as? Int == 1)
    #expect(failure { () throws(KVError) in try Closed().value(forKey: "plain") }?.code == .undefinedKey)
  }

  @Test("TAB.5: values list only, too")
  func values() throws {
    #expect(failure { () throws(KVError) in try Safe().value(forKey: "secret") }?.knownKeys == ["label"])
    #expect(try Safe().value(forKey: "label") as? Int == 1)
  }
}

private class Vault: KVObject, @unchecked Sendable {
  var label = "front"
  @KVProperty var combination = "1234"
  @Boxed var boxed = 1
  lazy var hint = "birthday"
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Vault.self, listedKeysOnly: true) { key in key("label", \.label) }
  }
}

private final class DeepVault: Vault, @unchecked Sendable {
  override class var keyTable: KVTable { super.keyTable.extended(for: DeepVault.self) { _ in } }
}

private final class LeakyVault: KVObject {
  var combination = "1234"
  override class var keyTable: KVTable {
    super.keyTable.extended(for: LeakyVault.self, listedKeysOnly: true) { key in
      key("label") { _ in "x" }.affected(by: "combination")
    }
  }
}

private class Open: KVObject {
  var plain = 1
  var listed = 2
  override class var keyTable: KVTable { super.keyTable.extended(for: Open.self) { key in key("listed", \.listed) } }
}

private final class Closed: Open {
  override class var keyTable: KVTable { super.keyTable.extended(for: Closed.self, listedKeysOnly: true) { _ in } }
}

private struct Safe: KeyValueCoding {
  var label = 1
  var secret = 2
  static var keyTable: KVTable { KVTable(Safe.self, listedKeysOnly: true) { key in key("label", \.label) } }
}
