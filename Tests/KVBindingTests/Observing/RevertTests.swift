import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.24: records that are reverted and applied")
struct RevertTests {
  @Test("KVO.24: ten thousand edits, reverted in reverse order, restore the beginning; applied again, the end")
  func random() throws {
    var random = SplitMix64(seed: 24)
    let models = [Editable(), Editable()]
    var records: [KVChange] = []
    var isRecording = true
    var tokens: [KVObservation] = []
    for model in models {
      for key in ["name", "number", "other", "items", "tags", "size"] {
        tokens.append(try model.observe(key) { if isRecording { records.append($0) } })
      }
    }
    let beginning = models.map(\.state)
    for _ in 0..<10_000 { try edit(models[random.below(2)], models, &random) }
    isRecording = false
    let end = models.map(\.state)
    #expect(records.count >= 9_000 && beginning != end)
    #expect(Set(records.map(\.kind)) == [.setting, .insertion, .removal, .replacement])
    for _ in 0..<2 {
      for record in records.reversed() { try record.revert() }
      #expect(models.map(\.state) == beginning)
      for record in records { try record.apply() }
      #expect(models.map(\.state) == end)
    }
    tokens.forEach { $0.cancel() }
  }

  private func edit(_ model: Editable, _ models: [Editable], _ random: inout SplitMix64) throws {
    let number = random.below(50)
    let items = model.mutableArray(forKey: "items")
    let tags = model.mutableSet(forKey: "tags")
    let count = model.items.count
    switch random.below(14) {
    case 0: model.name = number < 10 ? nil : "n\(number)"
    case 1: try model.setValue(number, forKey: "number")
    case 2: model.other = number < 25 ? nil : models[number % 2]
    case 3: try items.insert("i\(number)", at: random.below(count + 1))
    case 4: try items.insert(["a", "b", "c"], at: count >= 2 ? [0, 2, 4] : [0, 1, 2])
    case 5 where count > 0: try items.remove(at: random.below(count))
    case 6 where count > 2: try items.remove(at: [0, count - 1])
    case 7 where count > 1: try items.replace(at: [0, count - 1], with: ["x\(number)", "y"])
    case 8: model.items = number < 40 ? Array(model.items.prefix(10)) : []
    case 9: model.items.append("in place")
    case 10: try tags.formUnion([number, number + 1])
    case 11: try tags.subtract([number, number + 1, number + 2])
    case 12: try tags.set([number, 1, 2])
    default: model.size.width = number
    }
  }

  @Test("KVO.24: a manual change is reverted and applied; observers are notified as of any change")
  func manual() throws {
    let model = Editable()
    let log = ChangeLines()
    var record: KVChange?
    let token = try model.observe("stored") { record = $0 }
    model.withChange(.insertion, at: [1], forKey: "stored") { model.stored.insert("x", at: 1) }
    token.cancel()
    let other = try log.watch(model, "stored")
    try record?.revert()
    #expect(model.stored == ["a", "b"] && log.take() == ["stored removal at [1] [x] → nil"])
    try record?.apply()
    #expect(model.stored == ["a", "x", "b"] && log.take() == ["stored insertion at [1] nil → [x]"])
    other.cancel()
  }

  @Test("KVO.24: records that lack a value, prior and initial ones, and collections that have changed since")
  func refusals() throws {
    let model = Editable()
    var records: [KVChange] = []
    let tokens = [
      try model.observe("number", options: [.new, .initial]) { records.append($0) },
      try model.observe("number", options: [.old, .prior]) { records.append($0) },
    ]
    model.number = 1
    tokens.forEach { $0.cancel() }
    #expect(records.count == 4)
    for record in records {
      #expect(throws: KVError.self) {
        try record.revert()
        try record.apply()
      }
    }
    let error = #expect(throws: KVError.self) { try records[2].revert() }
    #expect(
      error?.message == """
        the record of "number" cannot be reverted: it lacks a value. Observe with the options .old and .new.
        """)
    try records[2].apply()
    let made = KVChange(object: model, keyPath: "items", kind: .removal, old: ["z"], indexes: [7])
    #expect(throws: KVError.self) { try made.revert() }
    try KVChange(object: model, keyPath: "name", old: "made", new: nil).revert()
    #expect(model.name == "made")
  }
}

private final class Editable: KVObject {
  struct Size: KeyValueCoding, Hashable {
    var width = 0
  }

  struct State: Equatable {
    let values: [AnyHashable?]
  }

  @KVProperty var name: String?
  @KVProperty var number = 0
  @KVProperty var other: Editable?
  @KVProperty var items: [String] = []
  @KVProperty var tags: Set<Int> = []
  @KVProperty var size = Size()
  var stored = ["a", "b"]

  var state: State { State(values: [name, number, other.map { ObjectIdentifier($0) }, items, tags, size]) }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Editable.self) { key in
      key("name", \.name)
      key("number", \.number)
      key("other", \.other)
      key("items", \.items)
      key("tags", \.tags)
      key("size", \.size)
      key("stored", \.stored)
    }
  }
}
