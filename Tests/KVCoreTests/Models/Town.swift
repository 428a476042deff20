import KVCore

/// A struct with a table, and with a struct and an array in it.
struct Town: KeyValueCoding, Equatable {
  var city = "London"
  var zip: Int?
  var streets = ["Dean", "Greek", "Frith"]
  var district = District()

  static var keyTable: KVTable {
    KVTable(Town.self) { key in
      key("city", \.city)
      key("zip", { $0.zip }, set: { $0.zip = $1 })
      key("streets", \.streets)
      key("district", \.district)
    }
  }
}

/// The innermost struct.
struct District: KeyValueCoding, Equatable {
  var name = "Soho"
  var inhabitants = 3_000

  static var keyTable: KVTable {
    KVTable(District.self) { key in
      key("name", \.name)
      key("inhabitants", \.inhabitants)
    }
  }
}
