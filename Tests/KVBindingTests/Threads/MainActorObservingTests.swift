import KVBinding
import KVCore
import Testing

@Suite("THR.3: models of the main actor")
@MainActor
struct MainActorObservingTests {
  @Test("THR.3: they are observed, by closures, owners, targets, paths and dependents")
  func observing() throws {
    let form = MainSheet()
    let view = MainSheetView()
    var lines: [String] = []
    let token = try form.observe("title") { lines.append("\($0.new ?? "nil")") }
    let typed = try form.observe("next.title", as: String.self) { lines.append("typed \($0.new ?? "nil")") }
    try view.observe(form, "headline") { view, _, new in view.text = new as? String ?? "" }
    try form.addTarget(
      view, KVAction("touch", perform: { $0.touches += 1 }), forKeyPath: "title", options: .initial)
    form.title = "b"
    form.next = MainSheet()
    try form.setValue("c", forKeyPath: "next.title")
    #expect(lines == ["b", "typed a", "typed c"])
    #expect(view.text == "B" && view.touches == 2)
    withExtendedLifetime((token, typed)) {}
  }

  @Test("THR.3: scopes and transactions")
  func scopes() throws {
    let form = MainSheet()
    var lines: [String] = []
    let token = try form.observe("title", options: [.old, .new, .coalesced]) {
      lines.append("\($0.old ?? "") \($0.new ?? "")")
    }
    KVCoalescing.coalesce {
      form.title = "b"
      form.title = "c"
    }
    try? KVTransaction.run {
      try form.setValue("d", forKey: "title")
      throw ScopeFailure()
    }
    #expect(lines == ["a c"] && form.title == "c")
    withExtendedLifetime(token) {}
  }

  @Test("THR.3, THR.4: their changes come as a sequence, on the actor")
  func sequence() async throws {
    let form = MainSheet()
    let changes = try form.changes(of: "title", as: String.self)
    let reader = Task { @MainActor in
      var seen: [String] = []
      for await change in changes {
        seen.append(change.new ?? "nil")
        if seen.count == 2 { break }
      }
      return seen
    }
    form.title = "b"
    await Task.yield()
    form.title = "c"
    #expect(await reader.value == ["b", "c"])
  }

  @Test("THR.3: a class with a slot of its own")
  func slot() throws {
    let panel = MainPanel()
    var widths: [Int] = []
    let token = try panel.observe("width", as: Int.self) { widths.append($0.new ?? -1) }
    panel.width = 3
    try panel.setValue(4, forKey: "width")
    #expect(widths == [3, 4])
    withExtendedLifetime(token) {}
  }
}

@MainActor
private final class MainSheet: KVObject {
  @KVProperty var title = "a"
  @KVProperty var next: MainSheet?
  var headline: String { title.uppercased() }

  override class nonisolated var keyTable: KVTable {
    super.keyTable.extended(for: MainSheet.self) { @MainActor key in
      key("title", \.title)
      key("next", \.next)
      key("headline", \.headline).affected(by: "title")
    }
  }
}

@MainActor
private final class MainSheetView: KVObserver {
  var text = ""
  var touches = 0
}

@MainActor
private final class MainPanel: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  @KVProperty var width = 1

  nonisolated static var keyTable: KVTable { KVTable(MainPanel.self) { @MainActor key in key("width", \.width) } }
}
