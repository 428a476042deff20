// The mistakes that the compiler finds, with what it says; the cure of each compiles below it.
import KVBinding
import KVCore
@KVModel class Person: KVObject { var name = "Ada"; var age = 36 }
@KVModel final class Label: KVObject { var text = "" }
struct Address: KeyValueCoding { var city = "London", lines = [""] }
func swiftKeyPaths(person: Person, label: Label, owner: Label) throws {
  _ = try person.observe(\.name) { _ in }  // error: 'observe(_:options:handler:)' is unavailable: a Swift key path names no key: observe("name"), or observe(KVTypedKeyPath(Person.self).name), which the compiler checks
  _ = try person.observe(\.name, options: [.new]) { change in print(change) }  // error: 'observe(_:options:handler:)' is unavailable: a Swift key path names no key: …
  _ = try person.observe("name") { _ in }
  _ = try person.observe(KVTypedKeyPath(Person.self).name) { _ in }
  _ = try person.observe(\.name, owner: owner) { _, _ in }  // error: 'observe(_:options:owner:handler:)' is unavailable: a Swift key path names no key: …
  try person.observe("name", owner: owner) { _, _ in }
  _ = try label.bind(\.text, to: \.name, of: person)  // error: 'bind(_:to:of:options:)' is unavailable: a Swift key path names no key: …
  try label.bind("text", to: "name", of: person)
  try label.bind("text", to: KVTypedKeyPath(Person.self).name, of: person)
  _ = try person.value(forKeyPath: \Person.name)  // error: conformance of 'AnyKeyPath' to 'KVKeyPathConvertible' is unavailable: a Swift key path names no key: …
  _ = try person.value(forKeyPath: KVTypedKeyPath(Person.self).name)
  _ = KVKeyPath(\Person.name)  // error: 'init(_:)' is unavailable: a Swift key path names no key: write the text, "name", or try KVTypedKeyPath(Person.self).name.keyPath(), which the compiler checks
  _ = try KVTypedKeyPath(Person.self).name.keyPath()
}
func functions(person: Person) {
  _ = KVTransformer(forward: { (age: Int) in "\(age)" }, reverse: { Int($0) })
  _ = KVTransformer(forward: { (age: Int) in "\(age)" }, reverse: { $0.count > 1 })  // error: cannot convert value of type 'Bool' to closure result type 'Int'
  do { try person.setValue("x", forKey: "age") } catch let error as KVError { print(error.code) }  // warning: 'as' test is always true
  do { try person.setValue("x", forKey: "age") } catch { print(error.code) }
}
struct Settings { @KVProperty var volume = 1 }  // error: 'wrappedValue' is unavailable: @KVProperty belongs to a class that is a KVObject or conforms to KVObservable
final class Counter { @KVProperty var count = 0 }  // unknown: error: static subscript 'subscript(_enclosingInstance:wrapped:storage:)' requires that 'Counter' conform to 'KVObservable'
final class ObservableCounter: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  @KVProperty var count = 0
}
@MainActor final class Form: KVObject {
  var title = ""
  override class var keyTable: KVTable { super.keyTable.extended(for: Form.self) { key in key("title", \.title) } }  // error: cannot form key path to main actor-isolated property 'title'
}
@MainActor final class IsolatedForm: KVObject {
  var title = ""
  override init() { title = "new" }
  override class var keyTable: KVTable { super.keyTable.extended(for: IsolatedForm.self) { @MainActor key in key("title", \.title) } }
}
@globalActor actor Disk { static let shared = Disk() }
@Disk final class File: KVObject {
  var name = ""
  override class var keyTable: KVTable { super.keyTable.extended(for: File.self) { key in key("name", \.name) } }  // error: cannot form key path to global actor 'Disk'-isolated property 'name'
}
final class Stored: KVObject {
  var title = ""
  static let keyTable = KVTable(Stored.self) { key in key("title", \.title) }  // error: cannot override with a stored property 'keyTable'
}
final class Forgotten: KVObject {
  var title = ""
  class var keyTable: KVTable { super.keyTable.extended(for: Forgotten.self) { key in key("title", \.title) } }  // error: overriding declaration requires an 'override' keyword
}
struct Response { var status = 200 }

func values(response: Response, other: Address) throws {
  _ = try response.value(forKey: "status")  // error: value of type 'Response' has no member 'value'
  _ = try KVC.value(of: response, forKeyPath: "status")
  let address = Address()
  try address.setValue("Paris", forKey: "city")  // error: referencing instance method 'setValue(_:forKey:)' on 'KeyValueCoding' requires that 'Address' be a class type
  var copy = address
  try copy.setValue("Paris", forKey: "city")
  _ = address.mutableArray(forKey: "lines")  // error: referencing instance method 'mutableArray(forKey:file:line:)' on 'KeyValueCoding' requires that 'Address' be a class type
}
