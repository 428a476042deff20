import KVBinding
import KVCore
import KVTestSupport
import Testing

/// An end of a binding dies while the binding carries a value: on each side, each way, and from each place that can
/// hold the last reference.
@Suite("BND.8, LIF.1: deaths of bound objects")
struct BoundDeathTests {
  /// Where the last reference to the end is dropped.
  enum Moment: CaseIterable {
    case beforeTransfer, inOwnHandler, inHandlerOfOther, afterTransfer
  }

  @Test(
    "BND.8, LIF.1: an end dies around a transfer; the other end goes on alone",
    arguments: [false, true], Moment.allCases)
  func targetDies(isTwoWay: Bool, moment: Moment) throws {
    let source = LifeNode("a")
    var target: LifeNode? = LifeNode()
    weak let left = target
    var deaths: [String] = []
    target?.whenDying = { deaths.append($0) }
    // Registered before the binding, and so told before it.
    let early = try source.observe("name") { _ in if moment == .beforeTransfer { target = nil } }
    let binding = try #require(target).bind(
      "name", to: "name", of: source, options: isTwoWay ? .twoWay : .oneWay)
    let own = try #require(target).observe("name") { _ in if moment == .inOwnHandler { target = nil } }
    let late = try source.observe("name") { _ in if moment == .inHandlerOfOther { target = nil } }
    source.name = "b"
    target = nil
    #expect(left == nil)
    #expect(deaths == [moment == .beforeTransfer ? "a" : "b"])
    source.name = "c"
    #expect(!binding.isActive)
    #expect(source.bindings.isEmpty)
    #expect(source.name == "c")
    withExtendedLifetime((early, own, late)) {}
  }

  @Test("BND.8, LIF.1: the source of a two-way binding dies while the target's change is carried back to it")
  func sourceDies() throws {
    var source: LifeNode? = LifeNode("a")
    weak let left = source
    let target = LifeNode()
    let binding = try target.bind("name", to: "name", of: #require(source), options: .twoWay)
    let own = try #require(source).observe("name") { _ in source = nil }
    target.name = "b"
    #expect(left == nil)
    #expect(!binding.isActive)
    target.name = "c"
    #expect(target.name == "c")
    withExtendedLifetime(own) {}
  }

  @Test("BND.8, LIF.1: an end that is set in its own deinit, by itself or through a binding, is not revived")
  func setInDeinit() throws {
    let log = LifeLog()
    let (source, other) = (LifeNode("a"), LifeNode("x"))
    var middle: LifeNode? = LifeNode()
    try #require(middle).bind("name", to: "name", of: source, options: .twoWay)
    try other.bind("name", to: "name", of: #require(middle))
    weak let left = middle
    middle?.whenDying = { _ in
      source.name = "to the dying"
      left?.name = "never"
      log.lines.append(left == nil ? "gone" : "there")
    }
    middle = nil
    #expect(log.lines == ["gone"])
    #expect(left == nil)
    #expect(source.name == "to the dying")
    #expect(other.name == "a")
    #expect(source.bindings.isEmpty && other.bindings.isEmpty)
  }

  @Test("BND.8, LIF.1: what a dead end owned is gone, though its binding and its tokens are still held")
  func nothingButMemory() throws {
    let source = LifeNode("a")
    var target: LifeNode? = LifeNode("", next: LifeNode())
    weak let next = target?.next
    let binding = try #require(target).bind("name", to: "name", of: source)
    let path = try #require(target).observe("next.name") { _ in }
    expectReleased(&target)
    #expect(next == nil)
    #expect(!binding.isActive && !path.isActive)
    #expect(binding.target.object == nil)
  }

  @Test("BND.8, THR.1: the target of a two-way binding dies on another thread than the one that sets the source")
  func deathsOnThreads() {
    race(
      rounds: 1_000,
      {
        let pair = Pair()
        _ = try? pair.target?.bind("items", to: "items", of: pair.source, options: .twoWay)
        return pair
      }, { pair in for number in 0..<3 { pair.source.items = [number] } }, { pair in pair.target = nil },
      afterEach: { pair in
        #expect(pair.source.bindings.isEmpty)
        #expect(pair.source.items == [2])
      })
  }

  /// Two objects that different threads use.
  private final class Pair: @unchecked Sendable {  // guard: each property is used by one thread at a time
    let source = LifeNode()
    var target: LifeNode? = LifeNode()
  }
}
