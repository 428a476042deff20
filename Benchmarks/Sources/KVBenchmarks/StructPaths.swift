import KVBinding

/// Reads "customer.city": the last component is a key of a struct.
func runW3s(_ w3s: Workload) throws {
  let text = Alternating.texts.first
  let path = opaque("customer.city" as KVKeyPath)
  let root = opaque(OrderNode())
  let head = opaque(OrderNode())
  root.customer.city = text
  root.customer.address.city = text
  head.next = root

  try w3s.get("typed_string_path", text) { try root.value(forKeyPath: "customer.city", as: String.self) }
  try w3s.get("any_string_path", where: { $0 as? String == text }) { try root.value(forKeyPath: "customer.city") }
  try w3s.get("typed_KVKeyPath", text) { try root.value(forKeyPath: path, as: String.self) }
  try w3s.get("typed_object_struct", text) { try head.value(forKeyPath: "next.customer.city", as: String.self) }
  try w3s.get("typed_struct_struct", text) { try root.value(forKeyPath: "customer.address.city", as: String.self) }
  let value = opaque(root.customer)
  try w3s.get("typed_struct_root", text) { try value.value(forKeyPath: "address.city", as: String.self) }
}

/// Sets "customer.city", while nobody observes.
func runW4s(_ w4s: Workload) throws {
  let texts = Alternating.texts
  let path = opaque("customer.city" as KVKeyPath)
  let root = opaque(OrderNode())

  try w4s.set("typed_string_path", root, texts, reading: { $0.customer.city }) {
    try $0.setValue($1, forKeyPath: "customer.city")
  }
  try w4s.set("any_string_path", root, texts, reading: { $0.customer.city }) {
    try $0.setValue($1 as Any?, forKeyPath: "customer.city")
  }
  try w4s.set("typed_KVKeyPath", root, texts, reading: { $0.customer.city }) { try $0.setValue($1, forKeyPath: path) }
  try w4s.set("typed_struct_struct", root, texts, reading: { $0.customer.address.city }) {
    try $0.setValue($1, forKeyPath: "customer.address.city")
  }
}

/// Sets the leaf of the observed path "customer.city".
func runW6s(_ w6s: Workload) throws {
  let counter = Counter()
  let texts = Alternating.texts
  let root = opaque(OrderNode())
  let typed = try root.observe("customer.city", as: String.self) { counter.count($0.new) }
  counter.expect(1, "W6s") { root.customer.city = "Ada" }
  w6s.set("typed", root, texts, reading: { $0.customer.city }) { $0.customer.city = $1 }
  try w6s.set("typed_by_path", root, texts, reading: { $0.customer.city }) {
    try $0.setValue($1, forKeyPath: "customer.city")
  }
  typed.cancel()

  let any = try root.observe("customer.city") { counter.count(boxed: $0.new) }
  w6s.set("any", root, texts, reading: { $0.customer.city }) { $0.customer.city = $1 }
  any.cancel()
}

/// An object that holds a struct that holds a struct.
final class OrderNode: KVObject {
  @KVProperty var number = 0
  @KVProperty var customer = CustomerValue()
  @KVProperty var next: OrderNode?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: OrderNode.self) { key in
      key("number", \.number)
      key("customer", \.customer)
      key("next", \.next)
    }
  }
}

/// A struct with a table.
struct CustomerValue: KeyValueCoding {
  var name = ""
  var city = ""
  var address = AddressValue()

  static var keyTable: KVTable {
    KVTable(CustomerValue.self) { key in
      key("name", \.name)
      key("city", \.city)
      key("address", \.address)
    }
  }
}

/// A struct in a struct.
struct AddressValue: KeyValueCoding {
  var street = ""
  var city = ""

  static var keyTable: KVTable {
    KVTable(AddressValue.self) { key in
      key("street", \.street)
      key("city", \.city)
    }
  }
}
