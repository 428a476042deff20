import KVBinding
import KVCore
import TestModels
import Testing

@Suite("Removing all registrations of a target or owner")
struct OwnedRemovalTests {
  final class List {
    var log: [String] = []
    func reload() { log.append("reload") }
    func note(_ change: KVChange) { log.append("\(change.keyPath)") }
  }

  final class Grid {
    func reload() {}
  }

  let song = Song()
  let list = List()

  @Test("TGT.3: removeTarget without action and path ends all actions of a target, and nothing else")
  func allOfATarget() throws {
    let other = List()
    try song.addTarget(list, .reload, forKeyPath: "title")
    try song.addTarget(list, KVAction("note", List.note), forKeyPaths: ["rating", "note"])
    try song.addTarget(other, .reload, forKeyPath: "title")
    try song.observe("title", owner: list) { list, _ in list.log.append("closure") }
    song.removeTarget(list)
    song.title = "x"
    song.rating = 1
    #expect(list.log == ["closure"] && other.log == ["reload"])
  }

  @Test("TGT.3: two classes may have an action of the same name")
  func sameName() throws {
    try song.addTarget(list, .reload, forKeyPath: "title")
    try song.addTarget(Grid(), .reload, forKeyPath: "title")
    try song.removeTarget(list, .reload, forKeyPath: "title")
    song.removeTarget(list, .reload, forKeyPaths: ["title"])
    song.title = "x"
    #expect(list.log.isEmpty)
  }

  @Test("TGT.3: addTarget returns a token, which may be discarded")
  func token() throws {
    let token = try song.addTarget(list, .reload, forKeyPaths: ["title", "rating"], options: .initial)
    #expect(list.log == ["reload"])
    token.pause()
    song.title = "x"
    #expect(list.log == ["reload"])
    token.resume()
    song.rating = 1
    #expect(list.log == ["reload", "reload"])
    token.cancel()
    song.title = "y"
    #expect(list.log.count == 2 && KVDiagnostics.observations(of: song).isEmpty)
  }

  @Test("TGT.3, OBS.3: one call removes the actions and closures of an owner; bindings and tokens stay")
  func ownedBy() throws {
    let field = Field()
    var seen = 0
    let token = try song.observe("title") { _ in seen += 1 }
    try song.addTarget(field, KVAction("seen", perform: { _ in seen += 100 }), forKeyPath: "title")
    try song.observe("title", owner: field) { _, _ in seen += 100 }
    try field.bind("title", to: "title", of: song)
    #expect(song.removeObservations(ownedBy: field) == 2)
    #expect(song.removeObservations(ownedBy: field) == 0)
    song.title = "x"
    #expect(seen == 1 && field.title == "x")
    token.cancel()
  }
}

extension KVAction<OwnedRemovalTests.List> {
  fileprivate static var reload: KVAction { KVAction("reload", OwnedRemovalTests.List.reload) }
}
extension KVAction<OwnedRemovalTests.Grid> {
  fileprivate static var reload: KVAction { KVAction("reload", OwnedRemovalTests.Grid.reload) }
}
