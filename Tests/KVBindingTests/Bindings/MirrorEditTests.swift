import KVBinding
import TestModels
import Testing

@Suite("Mirrored collections that handlers, setters and validators change")
struct MirrorEditTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("BND.3, BND.7: a source that makes something else of a mirrored insertion reconciles the target")
  func mirrorReconciles() throws {
    try view.bind("rows", to: "few", of: model, options: .twoWay)
    view.rows = ["a", "b", "c"]
    try view.mutableArray(forKey: "rows").append("d")
    #expect(model.few == ["a", "b", "c"])
    #expect(view.rows == model.few)
  }

  @Test("BND.7: a handler that edits the target during a mirrored insertion is propagated back")
  func mirrorSelfNotification() throws {
    model.rows = ["a"]
    let view = view
    let token = try view.observe("rows") { [unowned view] _ in
      if view.rows.last == "x" { try? view.mutableArray(forKey: "rows").append("y") }
    }
    try view.bind("rows", to: "rows", of: model, options: .twoWay)
    try model.mutableArray(forKey: "rows").append("x")
    #expect(view.rows == ["a", "x", "y"])
    #expect(model.rows == view.rows)
    token.cancel()
  }

  @Test("BND.7: a handler that edits the target during a setting of the whole array is propagated back")
  func wholeSelfNotification() throws {
    let view = view
    let token = try view.observe("rows") { [unowned view] _ in
      if view.rows.last == "x" { view.rows.append("y") }
    }
    try view.bind("rows", to: "rows", of: model, options: .twoWay)
    model.rows = ["a", "x"]
    #expect(view.rows == ["a", "x", "y"] && model.rows == view.rows)
    token.cancel()
  }

  @Test("BND.7: handlers that edit both arrays during a removal leave them equal")
  func crossed() throws {
    let (model, view) = (model, view)
    model.rows = ["a", "b", "c"]
    let token = try model.observe("rows") { [unowned model] change in
      if change.kind == .removal, model.rows.count == 2 { try? model.mutableArray(forKey: "rows").insert("n", at: 0) }
    }
    try view.bind("rows", to: "rows", of: model, options: .twoWay)
    let late = try view.observe("rows") { [unowned view] _ in
      if view.rows.first == "n" { view.rows.removeFirst() }
    }
    try model.mutableArray(forKey: "rows").remove(at: 0)
    #expect(model.rows == view.rows, "\(model.rows) \(view.rows)")
    token.cancel()
    late.cancel()
  }

  @Test("BND.3, BND.7: validates: true calls the validator for insertions, too")
  func mirrorValidates() throws {
    try view.bind("rows", to: "few", of: model, options: .init(validates: true))
    model.few = ["bad", "a"]
    #expect(view.rows == ["a"])
    model.few = ["a"]
    try model.mutableArray(forKey: "few").append("bad")
    #expect(view.rows == ["a"])
  }

  @Test("BND.7: two-way with a lossy element transformer and edits at both endpoints stay equal")
  func lossyMirror() throws {
    model.rows = ["A", "b"]
    try view.bind(
      "rows", to: "rows", of: model, transform: { (s: String) in s.lowercased() },
      reverse: { (s: String) in s.uppercased() })
    try view.mutableArray(forKey: "rows").append("z")
    #expect(model.rows == ["A", "b", "Z"] && view.rows == ["a", "b", "z"])
    try model.mutableArray(forKey: "rows").remove(at: 0)
    #expect(model.rows == ["b", "Z"] && view.rows == ["b", "z"])
  }
}
