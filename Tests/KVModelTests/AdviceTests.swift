import KVBinding
import Testing

/// The advice in errors about keys of a `@KVModel`, whose table nobody writes by hand.
struct AdviceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let advice: String
    let access: @Sendable () throws -> Void

    init(_ description: String, _ advice: String, _ access: @escaping @Sendable () throws -> Void) {
      (testDescription, self.advice, self.access) = (description, advice, access)
    }
  }

  @Test(
    "KVC.2, KVC.8, MOD.6: the errors of a model advise what its class can say, and not lines of a table",
    arguments: [
      Case(
        "an unknown key",
        #"add static func furtherKeys(_ key: KVObjectKeys<Guarded>) { key("color", \.color) } to Guarded."#
      ) {
        _ = try Guarded().value(forKey: "color")
      },
      Case(
        "a lazy property",
        "It is lazy, which reflection cannot read; write @KVKey, not @KVIgnored, before late of Guarded."
      ) {
        _ = try Guarded().value(forKey: "late")
      },
      Case("a private property", "write @KVKey, not @KVIgnored, before hidden of Guarded.") {
        try Guarded().setValue(4, forKey: "hidden")
      },
      Case("a struct's", "write @KVKey, not @KVIgnored, before name of Secretive.") {
        var pair = Secretive()
        try KVC.setValue("b", forKeyPath: "name", in: &pair)
      },
      Case("a private setter", "let the setter be as visible as the property.") {
        try Guarded().setValue(["b"], forKey: "lines")
      },
      Case("a read-only key", "Remove .readOnly from its @KVKey") { try Guarded().setValue(["b"], forKey: "names") },
      Case("without a setter", "computed without a setter. Make it a settable \"var\".") {
        try Guarded().setValue(4, forKey: "twice")
      },
      Case("no name of Swift", "shape, twice, unsafe, wrapped.") { _ = try Guarded().value(forKey: "no name") },
    ])
  func advice(_ refused: Case) throws {
    let error = #expect(throws: KVError.self) { try refused.access() }
    let message = error?.message ?? ""
    #expect(message.contains(refused.advice), "\(message)")
    #expect(!message.contains("keyTable"), "\(message)")
  }

  @Test("KVC.2: a subclass without the macro is advised to have it, or a table") func subclass() throws {
    let error = #expect(throws: KVError.self) { try LateComer().value(forKey: "extra") }
    #expect(error?.message.contains("mark LateComer with @KVModel, or add override class var keyTable") == true)
    #expect(error?.message.contains("super.keyTable.extended(for: LateComer.self)") == true)
  }

  @Test(
    "KVC.2, MOD.6: the line that an error advises compiles in the class and in its extensions, also of nested and generic ones"
  )
  func furtherKeys() throws {
    func message(_ body: () throws -> Any?) -> String? {
      #expect(throws: KVError.self) { _ = try body() }?.message
    }
    let beginning = "Known keys: size. If area is a property that @KVModel does not see, as in an extension, add"
    #expect(
      message { try Depot.Crate().value(forKey: "area") } == #"""
        undefined key "area" of Crate. \#(beginning) static func furtherKeys(_ key: KVObjectKeys<Depot.Crate>) { \#
        key("area", \.area) } to Depot.Crate.
        """#)
    #expect(
      message { try Rack<Int>().value(forKey: "area") } == #"""
        undefined key "area" of Rack<Int>. \#(beginning) static func furtherKeys(_ key: KVObjectKeys<Rack>) { \#
        key("area", \.area) } to Rack.
        """#)
    #expect(
      message { try Depot.Label().value(forKey: "area") } == #"""
        undefined key "area" of Label. \#(beginning) static func furtherKeys(_ key: KVValueKeys<Depot.Label>) { \#
        key("area", \.area) } to Depot.Label.
        """#)
    #expect(try CuredDepot.Crate().value(forKey: "area") as? Int == 4)
    #expect(try CuredRack<Int>().value(forKey: "area") as? Int == 4)
    #expect(try CuredDepot.Label().value(forKey: "area") as? Int == 4)
  }
}

enum Depot {
  @KVModel final class Crate: KVObject { var size = 2 }
  @KVModel struct Label { var size = 2 }
}

@KVModel class Rack<Item>: KVObject { var size = 2 }

/// What the errors of `Depot` and `Rack` advise.
enum CuredDepot {
  @KVModel final class Crate: KVObject { var size = 2 }
  @KVModel struct Label {
    var size = 2
    static func furtherKeys(_ key: KVValueKeys<CuredDepot.Label>) { key("area", \.area) }
  }
}

@KVModel class CuredRack<Item>: KVObject { var size = 2 }

extension CuredDepot.Crate {
  var area: Int { size * size }
  static func furtherKeys(_ key: KVObjectKeys<CuredDepot.Crate>) { key("area", \.area) }
}

extension CuredDepot.Label { var area: Int { size * size } }

extension CuredRack {
  var area: Int { size * size }
  static func furtherKeys(_ key: KVObjectKeys<CuredRack>) { key("area", \.area) }
}

@KVModel struct Secretive {
  var age = 1
  @KVIgnored var name = "a"
}

class LateComer: Middle {}
