import KVCore
import Testing

@Suite("KVC.18: the cures that errors name")
struct CureTests {
  private func message<Result>(_ body: () throws(KVError) -> Result) -> String { failure(body)?.description ?? "none" }

  // MARK: Lines of tables

  private class Untabled: KVObject {
    var plain = 1
    private var _secret = 2
    private var isOpen = true
    var handlers: [() -> Void] = []
    var formatter: (Int) -> String = { "\($0)" }
    /// Misspelt, and of the instance.
    var keytable: KVTable { KVTable(Untabled.self) { key in key("plain", \.plain) } }

    override init() { (_secret, isOpen) = (3, false) }
  }

  /// What the errors of `Untabled` say to do.
  private final class Tabled: KVObject {
    var plain = 1
    private var _secret = 2
    private var isOpen = true
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Tabled.self) { key in
        key("plain", \.plain)
        key("secret", \._secret)
        key("open", \.isOpen)
      }
    }
  }

  private struct Loose: KeyValueCoding { var size = 1 }

  private struct Tight: KeyValueCoding {
    var size = 1
    static var keyTable: KVTable { KVTable(Tight.self) { key in key("size", \.size) } }
  }

  /// An observable class whose author forgot the macro.
  private final class Rootless: KVObservable {
    let registrarSlot = KVRegistrarSlot()
    var size = 1
  }

  @Test("KVC.18: a type without a table of its own is told to be a model, or to declare a table, with the whole text")
  func missingTable() throws {
    #expect(
      message { () throws(KVError) in try Untabled().setValue(2, forKey: "plain") }.hasSuffix(
        #"""
        can only read. If it is a "var", mark Untabled with @KVModel, or add override class var keyTable: KVTable { super.keyTable.extended(for: Untabled.self) { key in key("plain", \#
        \.plain) } } to Untabled, which has no keyTable of its own (a property of another name, or of instances, is not one).
        """#))
    var loose = Loose()
    #expect(
      message { () throws(KVError) in try loose.setValue(2, forKey: "size") }.hasSuffix(
        #"""
        can only read. If it is a "var", mark Loose with @KVModel, or add static var keyTable: KVTable { \#
        KVTable(Loose.self) { key in key("size", \.size) } } to Loose, which has no keyTable of its own (a property of \#
        another name, or of instances, is not one).
        """#))
    #expect(
      message { () throws(KVError) in try Rootless().setValue(2, forKey: "size") }.hasSuffix(
        #"""
        can only read. If it is a "var", mark Rootless with @KVModel(.root) in place of its registrarSlot, or add static \#
        var keyTable: KVTable { KVTable(Rootless.self) { key in key("size", \.size) } } to Rootless, which has no keyTable \#
        of its own (a property of another name, or of instances, is not one).
        """#))
    #expect(
      message { () throws(KVError) in try KVC.value(of: "a" as Substring, forKeyPath: "first") }.hasSuffix(
        #"""
        make Substring conform to KeyValueCoding, with a keyTable that has the line key("first", \.first).
        """#))
    var tight = Tight()
    try tight.setValue(2, forKey: "size")
    #expect(tight.size == 2)
  }

  @Test("KVC.18: the line for a stored property leads to the property by its own name")
  func underscored() throws {
    #expect(
      message { () throws(KVError) in try Untabled().setValue(2, forKey: "secret") }.contains(
        #"key("secret", \._secret)"#))
    #expect(
      message { () throws(KVError) in try Untabled().setValue(true, forKey: "open") }.contains(
        #"key("open", \.isOpen)"#))
    let tabled = Tabled()
    try tabled.setValues(forKeys: ["plain": 5, "secret": 6, "open": false])
    #expect(try tabled.value(forKey: "secret") as? Int == 6)
  }

  @Test("KVC.18: known keys do not list functions, or objects that observe")
  func plumbing() {
    let error = failure { () throws(KVError) in try Untabled().value(forKey: "nothing") }
    #expect(error?.knownKeys == ["isOpen", "plain", "secret"])
    #expect(throws: Never.self) { try Untabled().value(forKey: "handlers") }
  }

  // MARK: Values

  private final class Form: KVObject {
    var age = 1
    var isDone = false
    var note: String?
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Form.self) { key in
        key("age", \.age).validated { $0 < 0 ? .replaced(with: 0) : .valid }
        key("isDone", \.isDone)
        key("note", \.note)
        key("years", \.age).lenient()
      }
    }
  }

  @Test("CO.5: .lenient() is the cure only for texts that it lets convert")
  func lenient() throws {
    let form = Form()
    #expect(message { () throws(KVError) in try form.setValue("41", forKey: "age") }.contains(".lenient()"))
    try form.setValue("41", forKey: "years")
    #expect(form.age == 41)
    for (text, key) in [("x", "age"), ("4.5", "age"), ("maybe", "isDone")] {
      let message = message { () throws(KVError) in try form.setValue(text, forKey: key) }
      #expect(!message.contains("lenient"), "\(message)")
      #expect(message.contains("its text is not one either; set a value of type"), "\(message)")
    }
  }

  // MARK: Keys of standard types

  @Test("KVC.18: a key of a number or string: leave it out, or declare it by a retroactive conformance")
  func standardTypes() throws {
    let sum = message { () throws(KVError) in try [1, 2].value(forKeyPath: "@sum.intValue") }
    #expect(sum.contains("leave intValue out (behind an operator write self, as in @sum.self)"))
    #expect(try [1, 2].value(forKeyPath: "@sum.self") as? Int == 3)
    #expect(
      message { () throws(KVError) in try [3].value(forKeyPath: "@max.description") }.contains(
        #"extension Int: @retroactive KeyValueCoding { public static var keyTable: KVTable { KVTable(Int.self) {"#))
    #expect(try [UInt64(7)].value(forKeyPath: "@max.words") as? Int == 1)
    #expect(try [UInt64(7)].value(forKeyPath: "@sum.self") as? Int == 7)
  }

  // MARK: Long texts

  @Test("KVC.18: a message shortens a path of a megabyte, and the error has it complete")
  func longPaths() {
    let long = String(repeating: "k", count: 1 << 20)
    let errors = [
      failure { () throws(KVError) in try Form().value(forKeyPath: long + ".x") },
      failure { () throws(KVError) in try Form().value(forKey: long) },
      failure { () throws(KVError) in try Form().value(forKeyPath: long + "..x") },
      failure { () throws(KVError) in try Form().value(forKeyPath: "age.@" + long) },
      failure { () throws(KVError) in try Form().value(forKeyPath: "age[\"\(long)\"]") },
      failure { () throws(KVError) in try Form().setValue(1, forKeyPath: long) },
      failure { () throws(KVError) in try Form().mutableArray(forKey: long).append(1) },
      failure { () throws(KVError) in try [long: 1].value(forKeyPath: "@sum.\(long)") },
    ]
    for error in errors.compactMap({ $0 }) {
      #expect("\(error)".utf8.count < 2_000, "\("\(error)".prefix(300))")
      #expect(error.keyPath?.utf8.count ?? 0 > 1_000_000)
    }
    #expect(errors.allSatisfy { $0 != nil })
  }
}

/// What the error of a key of a number says to declare; `@retroactive` belongs to other packages.
extension UInt64: KeyValueCoding {
  /// The table.
  public static var keyTable: KVTable { KVTable(UInt64.self) { key in key("words") { $0.words.count } } }
}
