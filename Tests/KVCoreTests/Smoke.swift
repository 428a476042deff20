import KVCore
import Testing

class Person: KVObject {
  @KVProperty var name = "Ada"
  var age = 36
  var boss: Person?
  var address = Address()
  var tags: [String] = ["a"]
  var initial: String { String(name.prefix(1)) }
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Person.self) { key in
      key("name", \.name)
      key("age", \.age).alias("years")
      key("boss", \.boss)
      key("address", \.address)
      key("tags", \.tags)
      key("initial", \.initial).affected(by: "name")
    }
  }
}
struct Address: KeyValueCoding {
  var city = "London"
  var zip: Int? = nil
  static var keyTable: KVTable { KVTable(Address.self) { key in key("city", \.city); key("zip", { $0.zip }, set: { $0.zip = $1 }) } }
}
final class Employee: Person {
  @KVProperty var salary = 10.5
  let badge = 7
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Employee.self) { key in key("salary", \.salary); key("badge", \.badge) }
  }
}
struct Plain { var x = 1; var inner = Inner() ; var list = [Inner(), Inner()]}
struct Inner { var y = "why"; var z: Int?? = .some(nil) }
@MainActor final class Mod: KVObject { @KVProperty var title = "t"
 override class var keyTable: KVTable { super.keyTable.extended(forMainActor: Mod.self) { key in key("title", \.title) } }
}

@Test func smoke() throws {
  let p = Employee()
  #expect(try p.value(forKey: "name") as? String == "Ada")
  try p.setValue("Grace", forKey: "name")
  #expect(p.name == "Grace")
  #expect(try p.value(forKeyPath: "initial", as: String.self) == "G")
  try p.setValue("Paris", forKeyPath: "address.city")
  #expect(p.address.city == "Paris")
  try p.setValue(3.7, forKey: "years")
  #expect(p.age == 3)
  p.boss = Person()
  try p.setValue(12, forKeyPath: "boss.address.zip")
  #expect(p.boss!.address.zip == 12)
  #expect(try KVC.value(of: Plain(), forKeyPath: "list.y") as? [String] == ["why", "why"])
  #expect(try KVC.value(of: Plain(), forKeyPath: "inner.z") == nil)
  #expect(try [p, p].value(forKeyPath: "@sum.age") as? Int == 6)
  for (path, v) in [("nmae", 1 as Any), ("badge", 2), ("age", "x"), ("boss.boss.name", "q"), ("salry", 2), ("tags[3]", "x"), ("tags.@cuont", 3), ("age", 1e300), ("initial", "x")] {
    do { try p.setValue(v, forKeyPath: path); Issue.record("no error") } catch { print(error) }
    do { _ = try p.value(forKeyPath: path) } catch { print(error) }
  }
  do { try p.setValue(nil, forKey: "age") } catch { print(error) }
  var pl = Plain()
  do { try KVC.setValue(3, forKeyPath: "x", in: &pl) } catch { print(error) }
  var dict: [String: Any] = ["a": ["b": [1, 2, ["c": 3]]]]
  try dict.setValue(5, forKeyPath: "a.b[2].c")
  #expect(try dict.value(forKeyPath: "a.b[2].c") as? Int == 5)
  let r: KVRecord = ["title": "x", "artist": ["name": "Miles"]]
  try r.setValue("Bill", forKeyPath: "artist.name")
  #expect(r.dictionary["artist"] as? [String: String] == ["name": "Bill"])
  let t: String? = r.title
  #expect(t == "x")
  let m = p.mutableArray(forKey: "tags")
  try m.append("z"); try m.insert("q", at: 0)
  #expect(p.tags == ["q", "a", "z"])
  #expect(try KVTypedKeyPath(Person.self).boss.address.city.keyPath() == "boss.address.city")
  print(try KVC.keys(of: p))
}
@MainActor @Test func main() throws { let m = Mod(); try m.setValue("u", forKey: "title"); #expect(m.title == "u") }
