import KVBinding
import KVCore
import Testing

@Suite("DIA.2: the observations of an object")
struct WhoObservesTests {
  @Test("DIA.2, KVO.20: every style is listed with its path, options, owner and location")
  func styles() throws {
    let item = DiagnosedItem()
    let owner = OwnerBadge()
    let line = #line + 1
    let token = try item.observe("diagnosedName", options: [.new, .distinct]) { _ in }
    let typed = try item.observe("next.diagnosedName", as: String.self) { _ in }
    try item.observe("diagnosedName", owner: owner) { _, _ in }
    try item.addTarget(owner, KVAction("reload", perform: { _ in }), forKeyPath: "next")
    let changes = try item.changes(of: "next")
    let all = KVDiagnostics.observations(of: item)
    #expect(
      Set(all.map { "\($0.keyPath): \($0.style), \($0.owner ?? "-")" }) == [
        "diagnosedName: closure, -", "next.diagnosedName: typed closure, -",
        "diagnosedName: closure with owner, OwnerBadge", "next: action \"reload\", OwnerBadge", "next: sequence, -",
      ])
    let first = try KVDiagnostics.observations(of: item, forKeyPath: "diagnosedName").first
    #expect(
      first?.description
        == "diagnosedName [new, distinct]: closure, registered at KVBindingTests/WhoObservesTests.swift:\(line)")
    withExtendedLifetime((token, typed, changes)) {}
  }

  @Test("DIA.2: registrations of one path come in their order; other paths and other objects' are left out")
  func order() throws {
    let item = DiagnosedItem()
    let tokens = try [KVObservingOptions.new, [.old], [.prior]].map { options in
      try item.observe("diagnosedName", options: options) { _ in }
    }
    let other = try item.observe("next") { _ in }
    let listed = try KVDiagnostics.observations(of: item, forKeyPath: "diagnosedName")
    #expect(listed.map(\.options) == [.new, .old, .prior])
    #expect(KVDiagnostics.observations(of: DiagnosedItem()).isEmpty)
    withExtendedLifetime((tokens, other)) {}
  }

  @Test("DIA.2: what has ended is not listed, what is paused is, and says so")
  func states() throws {
    let item = DiagnosedItem()
    let tokens = try (0..<3).map { _ in try item.observe("diagnosedName") { _ in } }
    tokens[0].cancel()
    tokens[2].pause()
    let listed = KVDiagnostics.observations(of: item)
    #expect(listed.map(\.isPaused) == [false, true])
    #expect(listed.last?.description.hasSuffix(", paused") == true)
  }

  @Test("DIA.2: an object that the path passes through lists its own observations only")
  func roots() throws {
    let item = DiagnosedItem()
    let next = DiagnosedItem()
    item.next = next
    let token = try item.observe("next.diagnosedName") { _ in }
    #expect(KVDiagnostics.observations(of: item).count == 1)
    #expect(KVDiagnostics.observations(of: next).isEmpty)
    withExtendedLifetime(token) {}
  }
}
