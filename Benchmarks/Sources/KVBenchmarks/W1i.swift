import KVCore

/// Reads "age", an integer, by its key.
func runW1i(_ w1i: Workload) throws {
  let node = opaque(Node())
  node.age = 36
  try w1i.get("typed", 36) { try node.value(forKey: "age", as: Int.self) }
  try w1i.get("any", where: { $0 as? Int == 36 }) { try node.value(forKey: "age") }
  try w1i.get("any_as_Int", 36) { try node.value(forKey: "age") as? Int }
  try w1i.get("converted_to_Double", 36.0) { try node.value(forKey: "age", as: Double.self) }

  let native = opaque(NativeNode())
  native.age = 36
  w1i.native.get("property", 36) { native.age }

  let keyPathNode = opaque(NativeKeyPathNode())
  keyPathNode.age = 36
  let keyPath = opaque(\NativeKeyPathNode.age)
  w1i.native.get("KeyPath", 36) { keyPathNode[keyPath: keyPath] }
}
