import KVCore

/// Sets "name" or "age" by its key, while nobody observes.
func runW2(_ w2: Workload) throws {
  let texts = Alternating.texts
  let numbers = Alternating.numbers
  let key = opaque("name")
  let path = opaque(try KVKeyPath(key))
  let node = opaque(Node())

  try w2.set("typed", node, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  try w2.set("any", node, texts, reading: { $0.name }) { try $0.setValue($1 as Any?, forKey: "name") }
  try w2.set("typed_run_time_key", node, texts, reading: { $0.name }) { try $0.setValue($1, forKey: key) }
  try w2.set("typed_KVKeyPath", node, texts, reading: { $0.name }) { try $0.setValue($1, forKeyPath: path) }
  try w2.set("any_KVKeyPath", node, texts, reading: { $0.name }) { try $0.setValue($1 as Any?, forKeyPath: path) }

  let shortTexts = Alternating.shortTexts
  try w2.set("typed_short_text", node, shortTexts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  try w2.set("any_short_text", node, shortTexts, reading: { $0.name }) { try $0.setValue($1 as Any?, forKey: "name") }
  try w2.set("typed_int", node, numbers, reading: { $0.age }) { try $0.setValue($1, forKey: "age") }
  try w2.set("any_int", node, numbers, reading: { $0.age }) { try $0.setValue($1 as Any?, forKey: "age") }

  let doubles = Alternating(1.0, 2.0)
  try w2.set("converted_from_Double", node, doubles, reading: { Double($0.age) }) { try $0.setValue($1, forKey: "age") }

  try runW2Variants(w2, texts)
  runW2Native(w2.native)
}

private func runW2Variants(_ w2: Workload, _ texts: Alternating<String>) throws {
  let closures = opaque(ClosureNode())
  try w2.set("typed_closure_table", closures, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  try w2.set("any_closure_table", closures, texts, reading: { $0.name }) { try $0.setValue($1 as Any?, forKey: "name") }

  let plain = opaque(PlainNode())
  try w2.set("typed_plain_property", plain, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  try w2.set("any_plain_property", plain, texts, reading: { $0.name }) { try $0.setValue($1 as Any?, forKey: "name") }

  let derived = opaque(DerivedNode())
  try w2.set("typed_subclass", derived, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }

  let open = opaque(OpenNode())
  try w2.set("typed_open_class", open, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }

  let slot = opaque(SlotNode())
  try w2.set("KVObservable", slot, texts, reading: { $0.name }) { try $0.setValue($1, forKey: "name") }
  let plainSlot = opaque(PlainSlotNode())
  try w2.set("KVObservable_plain_property", plainSlot, texts, reading: { $0.name }) {
    try $0.setValue($1, forKey: "name")
  }

  var value = opaque(StructNode())
  let read = { value.name }
  try w2.set("struct", texts, reading: read) { try value.setValue($0, forKey: "name") }
}

private func runW2Native(_ native: Workload) {
  let texts = Alternating.texts
  let node = opaque(NativeNode())
  native.set("property", node, texts, reading: { $0.name }) { $0.name = $1 }
  native.set("property_short_text", node, Alternating.shortTexts, reading: { $0.name }) { $0.name = $1 }
  native.set("property_int", node, Alternating.numbers, reading: { $0.age }) { $0.age = $1 }

  let keyPathNode = opaque(NativeKeyPathNode())
  let keyPath = opaque(\NativeKeyPathNode.name)
  native.set("KeyPath", keyPathNode, texts, reading: { $0.name }) { $0[keyPath: keyPath] = $1 }

  var dictionary: [String: Any] = opaque(["name": "", "age": 36, "d1": 0.5, "i2": 1, "b3": true, "s4": "", "l5": 2])
  let read = { dictionary["name"] as? String }
  native.set("dictionary", texts, reading: read) { dictionary["name"] = $0 }
}
