import KVCore
import Testing

/// Models that are legal Swift and were once read or written wrongly.
@Suite("Hostile models")
struct HostileModelTests {
  @Test("TAB.6: a table that was begun for values is refused for a class, and never runs")
  func genericTable() throws {
    #expect(try NamedValue().value(forKey: "name") as? String == "value")
    let error = #expect(throws: KVError.self) { _ = try NamedObject().value(forKey: "name") }
    #expect(error?.code == .invalidTable)
    #expect(
      error?.message == """
        the keyTable of NamedObject has a fault:
        - it was begun where the compiler does not see that NamedObject is a class, so its lines would take an object for a \
        value; constrain the generic type to AnyObject, or name the class.
        """)
  }

  @Test("TAB.3: a subclass may inherit a table that names Self")
  func inheritedSelfTable() throws {
    #expect(try HostileLeaf().value(forKey: "name") as? String == "branch")
  }

  @Test("KVC.3: an object behind any Error is read and written")
  func errorObjects() throws {
    let failure = ObjectError()
    #expect(try KVC.value(of: [failure] as [any Error], forKeyPath: "name") as? [String] == ["object"])
    let holder = ErrorHolder(failure)
    try holder.setValue("set", forKeyPath: "failure.name")
    #expect(failure.name == "set")
    #expect(try holder.value(forKeyPath: "failure.name") as? String == "set")
    #expect(try holder.value(forKeyPath: "failures.name") as? [String] == ["set", "set"])
    #expect(try holder.value(forKeyPath: "failures.@unionOfObjects.name") as? [String] == ["set", "set"])
  }

  @Test("KVC.18: a type that reads itself by key to describe itself is read")
  func selfDescribing() throws {
    let object = SelfDescribing()
    #expect(try object.value(forKey: "name") as? String == "self")
    #expect(try object.value(forKey: "shown") as? String == "self")
  }

  @Test("KVC.13: nil is nil in a property of type Any?, and in nested optionals")
  func nilInAny() throws {
    let object = Loose()
    try object.setValue(nil, forKey: "any")
    #expect(object.any == nil)
    try object.setValue(nil, forKey: "nested")
    #expect(object.nested == .some(nil) || object.nested == nil)
    #expect(try object.value(forKey: "nested") == nil)
  }

  @Test("KVC.4: twenty thousand optionals around a value are no depth")
  func deepOptionals() throws {
    var nest: Any = 1
    for _ in 0..<20_000 { nest = Any?.some(nest) as Any }
    #expect(try KVC.value(of: ["x": nest], forKeyPath: "x") as? Int == 1)
  }

  @Test("KVC.13: nil for a property that reflection writes reaches the hook")
  func nilHookOfReflected() throws {
    let object = BoxHolder()
    try object.setValue(nil, forKey: "number")
    #expect(object.number == -1)
  }

  @Test("KVC.14: what cannot be written back changes nothing in between")
  func readOnlyCollections() throws {
    let object = Mixed()
    let error = #expect(throws: KVError.self) { try object.setValue(9, forKeyPath: "parts.n") }
    #expect(error?.code == .notSettable)
    #expect((object.parts[0] as? MixedObject)?.n == 1)
  }

  @Test("TAB.5: a table that lists all keys hides the payload of an enum")
  func listedEnum() throws {
    let value = Sealed.secret("hidden")
    #expect(try value.value(forKey: "public") as? Int == 1)
    let error = #expect(throws: KVError.self) { _ = try value.value(forKey: "secret") }
    #expect(error?.knownKeys == ["public"])
    #expect(try KVC.keys(of: value).map(\.name) == ["public"])
  }

  @Test("KVC.1: self is the receiver, be it a dictionary, a record or a collection")
  func itself() throws {
    #expect(try ["a": 1].value(forKeyPath: "self.a") as? Int == 1)
    #expect(try ["self": 1].value(forKeyPath: "self") as? Int == 1)
    let record: KVRecord = ["a": 1]
    #expect(try record.value(forKeyPath: "self.a") as? Int == 1)
    #expect(try [["a": 1]].value(forKeyPath: "@unionOfObjects.self") as? [[String: Int]] == [["a": 1]])
    var outer = HostileOuter()
    try outer.setValue(5, forKeyPath: "inner.self.n")
    #expect(outer.inner.n == 5)
  }

  @Test("KVC.18: a record refuses by key what is nested too deeply, and keeps what it had")
  func deepRecords() throws {
    var nest: [String: Any] = ["leaf": 1]
    for _ in 0..<250 { nest = ["x": nest] }
    let record: KVRecord = ["x": 1]
    let error = #expect(throws: KVError.self) { try record.setValue(nest, forKey: "x") }
    #expect(error?.code == .limitExceeded)
    #expect(record["x"] as? Int == 1)
  }

  @Test("CO.7: what an AnyHashable holds is what it is")
  func hashables() throws {
    let map: [String: AnyHashable] = ["q": AnyHashable(["z": 1])]
    #expect(try map.value(forKeyPath: "q.z") as? Int == 1)
    #expect(KVC.areEqual(AnyHashable([1]), [1.0]))
  }
}

protocol HostileNamed: KeyValueCoding { var name: String { get } }

extension HostileNamed {
  static var keyTable: KVTable { KVTable(Self.self) { key in key("name", \.name) } }
}

struct NamedValue: HostileNamed { var name = "value" }
final class NamedObject: HostileNamed { var name = "object" }

class HostileBranch: KeyValueCoding {
  var name = "branch"
  class var keyTable: KVTable { KVTable(HostileBranch.self) { key in key("name", \.name) } }
}

final class HostileLeaf: HostileBranch {
  override class var keyTable: KVTable { KVTable(HostileLeaf.self) { key in key("name", \.name) } }
}

final class ObjectError: Error, KeyValueCoding, @unchecked Sendable {  // guard: used by one test, on one thread
  var name = "object"
  static var keyTable: KVTable { KVTable(ObjectError.self) { key in key("name", \.name) } }
}

final class ErrorHolder: KVObject {
  var failure: any Error
  var failures: [any Error]

  init(_ failure: any Error) {
    self.failure = failure
    failures = [failure, failure]
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ErrorHolder.self) { key in
      key("failure", \.failure)
      key("failures", \.failures)
    }
  }
}

final class SelfDescribing: KVObject, CustomReflectable {
  var name = "self"
  var customMirror: Mirror { Mirror(self, children: ["shown": (try? value(forKey: "name")) ?? "nothing"]) }
  override class var keyTable: KVTable {
    super.keyTable.extended(for: SelfDescribing.self) { key in key("name", \.name) }
  }
}

final class Loose: KVObject {
  var any: Any? = 1
  var nested: Int?? = 1
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Loose.self) { key in
      key("any", \.any)
      key("nested", \.nested)
    }
  }
}

final class HostileBox<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

@propertyWrapper
struct HostileInBox<Value>: KVReferenceProperty {
  let box: HostileBox<Value>
  init(wrappedValue: Value) { box = HostileBox(wrappedValue) }
  var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}

final class BoxHolder: KVObject {
  @HostileInBox var number = 1
  override func setNilValue(forKey key: String) throws(KVError) { number = -1 }
}

final class MixedObject: KVObject {
  var n = 1
  override class var keyTable: KVTable { super.keyTable.extended(for: MixedObject.self) { key in key("n", \.n) } }
}

struct MixedValue: KeyValueCoding {
  var n = 1
  static var keyTable: KVTable { KVTable(MixedValue.self) { key in key("n", \.n) } }
}

final class Mixed: KVObject {
  var parts: [Any] = [MixedObject(), MixedValue()]
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Mixed.self) { key in key("parts", \.parts).readOnly() }
  }
}

enum Sealed: KeyValueCoding {
  case secret(String)
  static var keyTable: KVTable { KVTable(Sealed.self, listedKeysOnly: true) { key in key("public") { _ in 1 } } }
}

struct HostileOuter: KeyValueCoding {
  var inner = MixedValue()
  static var keyTable: KVTable { KVTable(HostileOuter.self) { key in key("inner", \.inner) } }
}
