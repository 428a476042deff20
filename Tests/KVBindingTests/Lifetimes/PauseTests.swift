import KVBinding
import KVCore
import Testing

@Suite("LIF.4: pausing")
struct PauseTests {
  @Test("LIF.4: what happens during a pause is not delivered later; the registration and its position stay")
  func pause() throws {
    let log = LifeLog()
    let node = LifeNode("a", next: LifeNode("b"))
    let first = try node.observe("next.name") { _ in log.lines.append("first") }
    let second = try node.observe("next.name") { _ in log.lines.append("second") }
    first.pause()
    #expect(first.isPaused && first.isActive && !second.isPaused)
    node.next?.name = "c"
    #expect(log.take() == ["second"])
    #expect(KVDiagnostics.observations(of: node).map(\.isPaused) == [true, false])
    first.resume()
    #expect(log.lines.isEmpty)
    node.next?.name = "d"
    #expect(log.take() == ["first", "second"])
  }

  @Test("LIF.4: a paused path follows its objects")
  func follows() throws {
    let log = LifeLog()
    let node = LifeNode("a", next: LifeNode("b"))
    let token = try node.observe("next.name") { log.note($0) }
    token.pause()
    node.next = LifeNode("c")
    token.resume()
    node.next?.name = "d"
    #expect(log.lines == ["c → d"])
  }

  @Test("LIF.4: prior records pause, too, and pausing inside of a handler takes effect at once")
  func inHandler() throws {
    final class Holder { var token: KVObservation? }
    let log = LifeLog()
    let holder = Holder()
    let node = LifeNode("a")
    holder.token = try node.observe("name", options: [.new, .prior]) { change in
      log.lines.append(change.isPrior ? "prior" : "after")
      if change.isPrior { holder.token?.pause() }
    }
    node.name = "b"
    node.name = "c"
    #expect(log.lines == ["prior"])
    holder.token?.resume()
    holder.token?.resume()
    node.name = "d"
    #expect(log.lines == ["prior", "prior"])
    holder.token = nil
  }

  @Test("LIF.4: cancelling ends a paused observation; resuming does not bring it back")
  func cancelPaused() throws {
    let log = LifeLog()
    let node = LifeNode("a")
    let token = try node.observe("name") { log.note($0) }
    token.pause()
    token.cancel()
    token.resume()
    node.name = "b"
    #expect(log.lines.isEmpty && !token.isActive)
    #expect(isUnobserved(node))
  }
}
