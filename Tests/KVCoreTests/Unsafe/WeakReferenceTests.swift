import Dispatch
import KVCore
import Testing

/// What weak references promise, whichever way they are built (Docs/Decisions/0020).
@Suite("Weak references")
struct WeakReferenceTests {
  private final class Thing {
    let part = Part()
    var number = 1
    var atDeath: ((Thing) -> Void)?

    deinit {
      atDeath?(self)
      number = 0
    }
  }

  private final class Part {}

  @Test("LIF.1: a reference retains nothing, and is nil once the object is dead, with the identity that it had")
  func death() throws {
    var thing: Thing? = Thing()
    let reference = WeakReference(try #require(thing))
    let copy = reference
    weak let part = thing?.part
    let id = ObjectIdentifier(try #require(thing))
    #expect(reference.object === thing)
    #expect(reference.id == id)
    thing = nil
    #expect(reference.object == nil)
    #expect(copy.object == nil)
    #expect(reference.id == id)
    #expect(part == nil, "what the object owned dies with it")
  }

  @Test("LIF.1: a reference that is loaded keeps the object alive for as long")
  func loaded() throws {
    var thing: Thing? = Thing()
    let reference = WeakReference(try #require(thing))
    var strong = reference.object
    thing = nil
    #expect(strong?.number == 1)
    #expect(reference.object === strong)
    strong = nil
    #expect(reference.object == nil)
  }

  @Test("LIF.1: in its deinit an object is nil already, also to a reference that is made there")
  func inDeinit() throws {
    var found: [Bool] = []
    var late: WeakReference<Thing>?
    var thing: Thing? = Thing()
    let early = WeakReference(try #require(thing))
    thing?.atDeath = { thing in
      late = WeakReference(thing)
      found = [early.object == nil, late?.object == nil, isDeinitializing(thing)]
    }
    #expect(try !isDeinitializing(#require(thing)))
    thing = nil
    #expect(found == [true, true, true])
    #expect(late?.object == nil)
  }

  @Test("LIF.1: references are nil beside weak and unowned ones of Swift, and after thousands of others")
  func others() throws {
    var thing: Thing? = Thing()
    weak let ordinary = thing
    let references = try (0..<5_000).map { _ in WeakReference(try #require(thing)) }
    unowned let unowned = try #require(thing)
    #expect(references.allSatisfy { $0.object === unowned })
    #expect(ordinary != nil)
    thing = nil
    #expect(ordinary == nil)
    #expect(references.allSatisfy { $0.object == nil })
  }

  #if !(KV_WEAK_ENDS || canImport(ObjectiveC) || arch(wasm32))
    @Test("LIF.1: the memory of a dead object is not used again while a reference to it exists")
    func memory() throws {
      var thing: Thing? = Thing()
      let reference = WeakReference(try #require(thing))
      thing = nil
      let others = (0..<1_000).map { _ in Thing() }
      #expect(!others.contains { ObjectIdentifier($0) == reference.id })
      #expect(reference.object == nil)
    }
  #endif

  @Test("LIF.1: loaded on one thread while another drops the object: the whole object or nil")
  func race() {
    for _ in 0..<2_000 {
      let kept = Locked<Thing?>(Thing())
      let reference = WeakReference(kept.withLock { $0.unsafelyUnwrapped })
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          let dropped = kept.withLock { thing in
            defer { thing = nil }
            return thing
          }
          withExtendedLifetime(dropped) {}
        } else {
          while let thing = reference.object {
            if thing.number != 1 { Issue.record("an object that is dying was handed out") }
          }
        }
      }
      #expect(reference.object == nil)
    }
  }
}
