import KVCore

/// Reads "name", a string, by its key.
func runW1(_ w1: Workload) throws {
  let text = Alternating.texts.first
  let key = opaque("name")
  let path = opaque(try KVKeyPath(key))

  let node = opaque(Node())
  node.name = text
  try w1.get("typed", text) { try node.value(forKey: "name", as: String.self) }
  node.s4 = opaque("alpha")
  try w1.get("typed_short_text", "alpha") { try node.value(forKey: "s4", as: String.self) }
  try w1.get("any_short_text", where: { $0 as? String == "alpha" }) { try node.value(forKey: "s4") }
  try w1.get("any", where: { $0 as? String == text }) { try node.value(forKey: "name") }
  try w1.get("any_as_String", text) { try node.value(forKey: "name") as? String }
  try w1.get("typed_run_time_key", text) { try node.value(forKey: key, as: String.self) }
  try w1.get("typed_KVKeyPath", text) { try node.value(forKeyPath: path, as: String.self) }
  try w1.get("any_KVKeyPath", where: { $0 as? String == text }) { try node.value(forKeyPath: path) }
  try w1.get("typed_string_path", text) { try node.value(forKeyPath: "name", as: String.self) }

  try runW1Classes(w1, text)
  try runW1Others(w1, text)
  try runW1Native(w1.native, text)
}

private func runW1Classes(_ w1: Workload, _ text: String) throws {
  let closures = opaque(ClosureNode())
  closures.name = text
  try w1.get("typed_closure_table", text) { try closures.value(forKey: "name", as: String.self) }
  try w1.get("any_closure_table", where: { $0 as? String == text }) { try closures.value(forKey: "name") }

  let plain = opaque(PlainNode())
  plain.name = text
  try w1.get("typed_plain_property", text) { try plain.value(forKey: "name", as: String.self) }

  let base = opaque(BaseNode())
  base.name = text
  try w1.get("typed_non_final_class", text) { try base.value(forKey: "name", as: String.self) }

  let derived = opaque(DerivedNode())
  derived.name = text
  try w1.get("typed_subclass", text) { try derived.value(forKey: "name", as: String.self) }
  try w1.get("any_subclass", where: { $0 as? String == text }) { try derived.value(forKey: "name") }

  let open = opaque(OpenNode())
  open.name = text
  try w1.get("typed_open_class", text) { try open.value(forKey: "name", as: String.self) }
}

private func runW1Others(_ w1: Workload, _ text: String) throws {
  let slot = opaque(SlotNode())
  slot.name = text
  try w1.get("typed_KVObservable", text) { try slot.value(forKey: "name", as: String.self) }
  try w1.get("any_KVObservable", where: { $0 as? String == text }) { try slot.value(forKey: "name") }

  let value = opaque(StructNode(name: text))
  try w1.get("typed_struct", text) { try value.value(forKey: "name", as: String.self) }
  try w1.get("any_struct", where: { $0 as? String == text }) { try value.value(forKey: "name") }

  let long = opaque(LongKeyNode())
  long.theNameThatIsSpelledOut = text
  let longKey = opaque(["the", "Name", "That", "Is", "Spelled", "Out"].joined())
  try w1.get("typed_long_key", text) { try long.value(forKey: "theNameThatIsSpelledOut", as: String.self) }
  try w1.get("typed_long_run_time_key", text) { try long.value(forKey: longKey, as: String.self) }

  let reflected = opaque(ReflectedNode())
  reflected.name = text
  try w1.get("typed_reflected", text) { try reflected.value(forKey: "name", as: String.self) }
  try w1.get("any_reflected", where: { $0 as? String == text }) { try reflected.value(forKey: "name") }
}

private func runW1Native(_ native: Workload, _ text: String) throws {
  let node = opaque(NativeNode())
  node.name = text
  native.get("property", text) { node.name }
  node.s4 = opaque("alpha")
  native.get("property_short_text", "alpha") { node.s4 }

  let keyPathNode = opaque(NativeKeyPathNode())
  keyPathNode.name = text
  let keyPath = opaque(\NativeKeyPathNode.name)
  native.get("KeyPath", text) { keyPathNode[keyPath: keyPath] }

  let dictionary: [String: Any] = opaque(["name": text, "age": 36, "d1": 0.5, "i2": 1, "b3": true, "s4": text, "l5": 2])
  native.get("dictionary", where: { $0 as? String == text }) { dictionary["name"] }
  native.get("dictionary_as_String", text) { dictionary["name"] as? String }
}
