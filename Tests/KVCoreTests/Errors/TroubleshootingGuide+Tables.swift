import KVCore

// Mistakes in tables.
extension TroubleshootingGuide {
  static let tables: [Mistake] = [
    Mistake(
      "Several faults at once",
      #"""
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
      try Manager().value(forKey: "bonus")
      """#, "A table is checked when its type is first used. One error lists all of its faults."
    ) { () throws(KVError) in try Manager().value(forKey: "bonus") },
    Mistake(
      "A table copied from another type",
      #"""
      struct Place: KeyValueCoding {
        var city = "London"
        static var keyTable: KVTable { KVTable(Address.self) { key in key("city", \.city) } }
      }
      try Place().value(forKey: "city")
      """#, "The accessors of a table work on the type that it was made for, and on subclasses."
    ) { () throws(KVError) in try Place().value(forKey: "city") },
  ]
}
