import KVBinding
import KVCore
import TestModels
import Testing

@Suite("Triggers: what waits for a commit or a call")
struct BindingTriggerTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("BND.1: onCommit: a target that normalises what the binding sets does not change the source without a commit")
  func commitLooksAgain() throws {
    let binding = try view.bind("limited", to: "number", of: model, options: .init(.twoWay, trigger: .onCommit))
    model.number = 99
    #expect(view.limited == 10)
    #expect(model.number == 99, "the source changed without commit(): \(binding.hasPendingEdit)")
  }

  @Test("BND.1: onCommit through a transformer: the same")
  func commitLooksAgainSlow() throws {
    try view.bind(
      "limited", to: "number", of: model,
      options: .init(
        .twoWay, transformer: KVTransformer(forward: { (n: Int) in n }, reverse: { (n: Int) in n }), trigger: .onCommit)
    )
    model.number = 99
    #expect(model.number == 99)
  }

  @Test("BND.1: explicit: updateTarget() does not change the source")
  func explicitLooksAgain() throws {
    let binding = try view.bind("limited", to: "number", of: model, options: .init(.twoWay, trigger: .explicit))
    model.number = 99
    try binding.updateTarget()
    #expect(model.number == 99)
  }

  @Test("BND.13: explicit: updateSource() reads the target behind a middle that was replaced")
  func explicitMiddle() throws {
    view.next = KeyBox()
    let binding = try view.bind("next.name", to: "name", of: model, options: .init(.twoWay, trigger: .explicit))
    view.next = KeyBox()
    view.next?.name = "typed"
    try binding.updateSource()
    #expect(model.name == "typed")
  }

  @Test("BND.13: a pending edit of a one-key path survives an equal setting of the source")
  func pendingEqual() throws {
    let binding = try view.bind("name", to: "name", of: model, options: .init(.twoWay, trigger: .onCommit))
    view.name = "edited"
    model.name = model.name
    #expect(binding.hasPendingEdit && view.name == "edited")
  }

  @Test("BND.1, BND.11: a commit that fails can be committed again")
  func failedCommit() throws {
    let binding = try view.bind(
      "note", to: "number", of: model,
      options: .init(
        .twoWay,
        transformer: KVTransformer(
          forward: { (n: Int) in "\(n)" },
          reverse: { (s: String) throws -> Int in
            guard let number = Int(s) else { throw BoxFailure() }
            return number
          }), trigger: .onCommit))
    view.note = "no number"
    #expect(throws: KVError.self) { try binding.commit() }
    #expect(
      binding.hasPendingEdit && view.note == "no number", "KVPathBinding.commit: the edit is still in the target then")
    try view.discardEditing()
    #expect(view.note == "0")
  }

  @Test("BND.1: updateTarget() after the end says so")
  func updateAfterEnd() throws {
    let binding = try view.bind("name", to: "name", of: model)
    binding.cancel()
    model.name = "new"
    #expect(throws: KVError.self) { try binding.updateTarget() }
  }
}
