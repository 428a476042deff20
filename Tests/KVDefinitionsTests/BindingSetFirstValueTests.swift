import KVBinding
import KVCore
import KVDefinitions
import KVDocuments
import KVTestSupport
import TestModels
import Testing

@Suite("DEF.3: the first values of binding sets")
struct BindingSetFirstValueTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("DEF.3, BND.12: a set with once and dispatched options sets its value")
  func sets() throws {
    model.next = view
    let executor = KVManualExecutor()
    model.name = "m"
    let set = try KVBindingSet(
      [KVBindingDefinition(key: "k", "name", to: "note", ofTarget: "next", direction: .once)], owner: model,
      options: .init(concurrency: .dispatched(executor)))
    executor.runAll()
    #expect(view.note == "m" && set.bindings.count == 1)
  }

  @Test(
    "DEF.2: the faults of values say what to change in the file, by its entries",
    arguments: [
      (
        KVBindingDefinition("note", to: "name", ofTarget: "next"),
        "nil is not a String. Give \"nullPlaceholder\" a value to show, or make the property optional."
      ),
      (
        KVBindingDefinition("note", to: "name", ofTarget: "next", transformerName: "url"),
        "Choose a transformer that returns a value for each that it gets, and give \"nullPlaceholder\" a value for nil, or"
      ),
      (
        KVBindingDefinition("number", to: "name", ofTarget: "next"),
        "Name a transformer in \"transformerName\" that converts it, as format:%d."
      ),
      (
        KVBindingDefinition("name", to: "number", ofTarget: "next", direction: .toSource),
        "Name a transformer in \"transformerName\" that converts both ways."
      ),
      (
        KVBindingDefinition("name", to: "number", ofTarget: "next", transformerName: "isNil", fallback: "x"),
        "The value of \"fallback\" is set as it is, whatever transformer the binding has: let it be a value of type Int."
      ),
      (
        KVBindingDefinition("name", to: "number", ofTarget: "next", transformerName: "url"),
        "The transformer returns URL; choose one whose values fit."
      ),
      (
        KVBindingDefinition("name", to: "note", ofTarget: "next", direction: .once, trigger: .onCommit),
        "leave out \"trigger\": \"onCommit\", or bind two-way."
      ),
    ])
  func cures(definition: KVBindingDefinition, cure: String) throws {
    model.next = view
    let scratch = try Scratch()
    for format in [KVDocument.Format.json, .xml] {
      let file = scratch.file(format == .json ? "a.json" : "a.plist")
      try KVBindingDefinitions([definition]).data(format: format).write(to: file)
      let faults = #expect(throws: KVBindingFaults.self) { try KVBindingSet(contentsOf: file, owner: model) }
      var expected = cure
      if format == .xml {
        for (name, entry) in [
          ("nullPlaceholder", "NullPlaceholder"), ("transformerName", "ValueTransformerName"), ("fallback", "Fallback"),
          ("trigger", "Trigger"),
        ] { expected = expected.replacing("\"\(name)\"", with: "\"\(entry)\"") }
      }
      #expect(faults?.description.contains(expected) == true, "\(faults?.description ?? "")")
    }
  }

  @Test("DEF.3: a set that fails when values are set leaves no binding and no value")
  func setUndone() throws {
    model.next = view
    model.name = "no number"
    _ = try #require(
      throws: KVBindingFaults.self,
      performing: {
        try KVBindingSet(
          [
            KVBindingDefinition(key: "1", "name", to: "note", ofTarget: "next", direction: .twoWay),
            KVBindingDefinition(key: "2", "name", to: "number", ofTarget: "next", direction: .twoWay),
          ], owner: model)
      })
    #expect(view.note == nil && model.bindings.isEmpty && view.bindings.isEmpty)
    #expect(model.name == "no number")
  }
}
