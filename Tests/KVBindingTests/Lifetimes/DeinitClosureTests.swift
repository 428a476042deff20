import KVBinding
import KVCore
import Testing

@Suite("LIF.5: closures at the start of deinit")
struct DeinitClosureTests {
  private final class LifeSubnode: LifeNode {
    var extra = "extra"
    var log: LifeLog?

    deinit { log?.lines.append("deinit") }
  }

  @Test("LIF.5: closures run once each, in the order of registration, and are gone then")
  func order() {
    let log = LifeLog()
    let captures = LifeCapture.Count()
    var node: LifeNode? = LifeNode("a")
    for number in 1...3 {
      let capture = LifeCapture(captures)
      node?.onDeinit { withExtendedLifetime(capture) { log.lines.append("\(number)") } }
    }
    #expect(log.lines.isEmpty)
    node = nil
    #expect(log.lines == ["1", "2", "3"])
    #expect(captures.alive == 0)
  }

  @Test("LIF.5: they run after the deinits of subclasses, while all properties can still be read")
  func propertiesAreThere() {
    let log = LifeLog()
    var node: LifeSubnode? = LifeSubnode("a", next: LifeNode("b"))
    node?.log = log
    if let node {
      node.onDeinit { [unowned(unsafe) node] in
        log.lines.append("\(node.name) \(node.next?.name ?? "nil") \(node.extra)")
      }
    }
    node = nil
    #expect(log.lines == ["deinit", "a b extra"])
  }

  @Test("LIF.5, KVO.22: an observation whose owner is being deallocated is not active")
  func beforeObservationsEnd() throws {
    let log = LifeLog()
    let other = LifeNode("other")
    var node: LifeNode? = LifeNode("a")
    let token = try other.observe("name", owner: #require(node)) { _, _ in log.lines.append("heard") }
    node?.onDeinit { log.lines.append("active \(token.isActive)") }
    node = nil
    #expect(log.lines == ["active false"])
    #expect(!token.isActive)
  }

  @Test("LIF.5: they may change other objects and let go of others that have closures of their own")
  func cascade() {
    let log = LifeLog()
    var inner: LifeNode? = LifeNode("inner")
    inner?.onDeinit { log.lines.append("inner") }
    var outer: LifeNode? = LifeNode("outer")
    outer?.onDeinit { inner = nil }
    outer?.onDeinit { log.lines.append("outer") }
    outer = nil
    #expect(log.lines == ["inner", "outer"])
    #expect(inner == nil)
  }
}
