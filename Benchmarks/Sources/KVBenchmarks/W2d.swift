import KVCore

/// Sets a property from Swift, while nobody observes.
func runW2d(_ w2d: Workload) {
  let texts = Alternating.texts
  let shortTexts = Alternating.shortTexts
  let numbers = Alternating.numbers

  let node = opaque(Node())
  w2d.set("final_class", node, texts, reading: { $0.name }) { $0.name = $1 }
  w2d.set("final_class_short_text", node, shortTexts, reading: { $0.name }) { $0.name = $1 }
  w2d.set("final_class_int", node, numbers, reading: { $0.age }) { $0.age = $1 }

  let base = opaque(BaseNode())
  w2d.set("non_final_class", base, texts, reading: { $0.name }) { $0.name = $1 }
  w2d.set("non_final_class_short_text", base, shortTexts, reading: { $0.name }) { $0.name = $1 }
  w2d.set("non_final_class_int", base, numbers, reading: { $0.age }) { $0.age = $1 }

  let open = opaque(OpenNode())
  w2d.set("open_class", open, texts, reading: { $0.name }) { $0.name = $1 }
  w2d.set("open_class_int", open, numbers, reading: { $0.age }) { $0.age = $1 }

  let slot = opaque(SlotNode())
  w2d.set("KVObservable", slot, texts, reading: { $0.name }) { $0.name = $1 }
  w2d.set("KVObservable_short_text", slot, shortTexts, reading: { $0.name }) { $0.name = $1 }
  w2d.set("KVObservable_int", slot, numbers, reading: { $0.age }) { $0.age = $1 }

  let native = opaque(NativeNode())
  w2d.native.set("property", native, texts, reading: { $0.name }) { $0.name = $1 }
  w2d.native.set("property_short_text", native, shortTexts, reading: { $0.name }) { $0.name = $1 }
  w2d.native.set("property_int", native, numbers, reading: { $0.age }) { $0.age = $1 }
}
