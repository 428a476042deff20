import KVBinding
import KVCore
import TestModels
import Testing

@Suite("COA.8: bindings in transactions that are rolled back, and in scopes")
struct TransactionBindingTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("COA.8: a rollback through a lossy two-way binding puts the source back exactly")
  func lossy() throws {
    model.price = 2.5
    try view.bind(
      "number", to: "price", of: model, transform: { (d: Double) in Int(d) }, reverse: { (n: Int) in Double(n) })
    undone { try model.setValue(7.75, forKey: "price") }
    #expect(model.price == 2.5 && view.number == 2)
    undone { try view.setValue(9, forKey: "number") }
    #expect(model.price == 2.5 && view.number == 2, "\(model.price)")
  }

  @Test("COA.8, BND.7: mirrored arrays are put back at both ends")
  func mirror() throws {
    model.rows = ["a", "b"]
    try view.bind("rows", to: "rows", of: model, options: .twoWay)
    undone {
      try model.mutableArray(forKey: "rows").append("c")
      try view.mutableArray(forKey: "rows").remove(at: 0)
    }
    #expect(model.rows == ["a", "b"] && view.rows == model.rows)
  }

  @Test("COA.8, BND.11: a binding that fails inside of a transaction that is rolled back is well again")
  func failed() throws {
    let binding = try view.bind("number", to: "note", of: model, options: .init(nullPlaceholder: 0))
    undone { try model.setValue("no number", forKey: "note") }
    #expect(binding.state == .active && binding.lastError == nil)
  }

  @Test("COA.8: a rollback of chains and dotted targets puts each end back")
  func chain() throws {
    view.next = KeyBox()
    let third = KeyBox()
    try view.bind("next.name", to: "name", of: model, options: .twoWay)
    try third.bind("name", to: "next.name", of: view, options: .twoWay)
    undone {
      try third.setValue("x", forKey: "name")
      try view.setValue(KeyBox(), forKey: "next")
      try model.setValue("y", forKey: "name")
    }
    #expect(model.name == "a" && view.next?.name == "a" && third.name == "a")
  }

  @Test("COA.2: coalesced observers behind a binding are notified once, and the binding acts at once")
  func coalesced() throws {
    try view.bind("name", to: "name", of: model)
    var received: [String] = []
    let token = try view.observe("name", options: [.new, .coalesced]) { received.append("\($0.new ?? "")") }
    KVCoalescing.coalesce {
      model.name = "1"
      #expect(view.name == "1")
      model.name = "2"
    }
    #expect(received == ["2"])
    token.cancel()
  }

  @Test("COA.8, BND.3: after a rollback that puts an object in the middle of a path back, its edits propagate")
  func middle() throws {
    let (former, other) = (KeyBox(), KeyBox())
    view.next = former
    try view.bind("next.number", to: "number", of: model, options: .twoWay)
    for value in [other, nil] {
      undone { try view.setValue(value, forKey: "next") }
      #expect(view.next === former)
      former.number += 9
      #expect(model.number == former.number && former.number > 0)
    }
    view.next = other
    #expect(other.number == model.number && model.number == 18)
  }

  @Test("COA.8, BND.13: after such a rollback an edit waits for its commit")
  func middleOnCommit() throws {
    let former = KeyBox()
    view.next = former
    let binding = try view.bind(
      "next.number", to: "number", of: model, options: .init(.twoWay, trigger: .onCommit))
    undone { try view.setValue(KeyBox(), forKey: "next") }
    former.number = 9
    #expect(binding.hasPendingEdit && former.number == 9 && model.number == 0)
    try binding.commit()
    #expect(model.number == 9)
  }

  @Test("COA.8, BND.3: a one-way binding follows what a failed transaction has set in Swift, and keeps")
  func keptChange() throws {
    try view.bind("name", to: "name", of: model)
    undone { model.name = "x" }
    #expect(model.name == "x" && view.name == "x")
    KVTransaction.run {
      undone { model.name = "y" }
      #expect(view.name == "y")
    }
    undone { KVTransaction.run { model.name = "z" } }
    #expect(model.name == "z" && view.name == "z")
  }

  @Test("COA.7, COA.8: a registration that is made in a failed transaction has its initial notification")
  func initialNotification() throws {
    model.name = "a"
    var names: [String] = []
    var observation: KVObservation?
    undone {
      try model.setValue("b", forKey: "name")
      observation = try model.observe("name", options: [.initial, .new, .coalesced]) { change in
        names.append("\(change.new ?? "nil")")
      }
      try model.setValue("c", forKey: "name")
    }
    #expect(names == ["a"])
    model.name = "d"
    #expect(names == ["a", "d"])
    observation?.cancel()
  }
}
