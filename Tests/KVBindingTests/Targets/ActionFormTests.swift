import KVBinding
import Testing

private final class Screen: KVObject {
  @KVProperty var title = ""
  private(set) var log: [String] = []

  func redraw() { log.append("redraw") }
  func changed(_ change: KVChange) { log.append("told \(change.keyPath)") }
  func note(_ text: String) { log.append(text) }
}

@Suite("TGT.1: the forms of an action")
struct ActionFormTests {
  @Test("TGT.1: methods, and trailing closures of several statements")
  func forms() throws {
    let screen = Screen()
    let actions = [
      KVAction("redraw", Screen.redraw),
      KVAction("told", Screen.changed),
      KVAction("closure") { (screen: Screen) in
        let text = "closure"
        screen.note(text)
      },
      KVAction("record") { (screen: Screen, change: KVChange) in
        let text = "record \(change.keyPath)"
        screen.note(text)
      },
    ]
    for action in actions { try screen.addTarget(screen, action, forKeyPath: "title") }
    screen.title = "new"
    #expect(screen.log == ["redraw", "told title", "closure", "record title"])
    #expect(actions.map(\.takesChange) == [false, true, false, true])
  }
}
