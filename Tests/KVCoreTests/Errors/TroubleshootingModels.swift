import KVCore

// The models of the guide.
extension TroubleshootingGuide {
  class Person: KVObject {
    @KVProperty var name = "Ada"
    var age = 36
    var boss: Person?
    var address = Address()
    var tags = ["maths"]
    let badge = 7
    var initial: String { String(name.prefix(1)) }
    lazy var motto = "by \(name)"
    var shoeSize = 38

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Person.self) { key in
        key("name", \.name)
        key("age", \.age)
        key("boss", \.boss)
        key("address", \.address)
        key("tags", \.tags)
        key("badge", \.badge)
        key("initial", \.initial)
      }
    }
  }

  struct Address: KeyValueCoding {
    var city = "London"
    static var keyTable: KVTable { KVTable(Address.self) { key in key("city", \.city) } }
  }

  final class Pupil: Person {
    var grade = 1
    class var keytable: KVTable { super.keyTable.extended(for: Pupil.self) { key in key("grade", \.grade) } }
  }

  struct Point { var x = 1 }

  struct Box { var size = (width: 1, height: 2) }

  struct Circle {
    var radius = 1.0
    var area: Double { radius * radius * .pi }
  }

  final class Manager: Person {
    var bonus = 0

    override class var keyTable: KVTable {
      KVTable(Manager.self) { key in
        key("bonus", \.bonus).alias("pay")
        key("bonus", \.bonus).alias("total")
        key("total") { $0.bonus + 100 }.affected(by: "bonsu")
        key("max") { $0.bonus }.affected(by: "max")
      }
    }
  }

  struct Place: KeyValueCoding {
    var city = "London"
    static var keyTable: KVTable { Address.keyTable }
  }
}
