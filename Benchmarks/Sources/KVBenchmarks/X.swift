import KVCore

/// The prices of single parts, for those who work on the library.
func runX(_ x: Workload) throws {
  let short = opaque("a.b.c")
  let long = opaque(["customer", "address", "city"].joined(separator: "."))
  let components: [KVKeyPath.Component] = opaque([.key("a"), .key("b"), .key("c")])
  _ = try long.keyPath()
  let copyOfLong = opaque(String(Array(long)))

  try x.get("parse_a.b.c", where: { $0.count == 3 }) { try KVKeyPath(short) }
  try x.get("parse_customer.address.city", where: { $0.count == 3 }) { try KVKeyPath(long) }
  try x.get("build_from_components", where: { $0.count == 3 }) { try KVKeyPath(components: components) }
  x.get("literal", where: { $0.count == 3 }) { "a.b.c" as KVKeyPath }
  try x.get("known_text", where: { $0.count == 3 }) { try short.keyPath() }
  try x.get("known_text_other_storage", where: { $0.count == 3 }) { try copyOfLong.keyPath() }

  let node = opaque(Node())
  let path = opaque("next.name" as KVKeyPath)
  x.get("error_undefined_key_get", .undefinedKey) {
    code { () throws(KVError) in _ = try node.value(forKey: "nmae") }
  }
  x.get("error_undefined_key_set", .undefinedKey) {
    code { () throws(KVError) in try node.setValue(1, forKey: "nmae") }
  }
  x.get("error_mismatch_set", .typeMismatch) {
    code { () throws(KVError) in try node.setValue("x", forKey: "age") }
  }
  x.get("error_unresolved_path_set", .unresolvedPath) {
    code { () throws(KVError) in try node.setValue("x", forKeyPath: path) }
  }
  try x.get("nil_in_the_middle_get", where: { $0 == nil }) { try node.value(forKeyPath: path) }
  x.get("make_KVObject", where: { $0.age == 0 }) { Node() }

  let native = x.native
  native.get("sink", 1) { 1 }
  native.get("make_object", where: { $0.age == 0 }) { NativeNode() }
}

/// Returns the code of the error that a body throws.
@inline(__always)
private func code(_ body: () throws(KVError) -> Void) -> KVError.Code? {
  do throws(KVError) {
    try body()
    return nil
  } catch {
    return error.code
  }
}
