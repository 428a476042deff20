import KVBinding
import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.13: paths whose last object never notifies of its key")
struct NonNotifyingEndTests {
  private let owner = CacheOwner()
  private let log = ChangeLines()

  private func refusal(_ path: String) -> KVError? {
    let error = #expect(throws: KVError.self) { try owner.observe(path) { _ in } }
    expectNoObserversLeft(on: owner)
    return error
  }

  /// What the error of the key alone says.
  private func direct(_ key: String, of cache: Cache) -> String? {
    #expect(throws: KVError.self) { try cache.observe(key) { _ in } }?.message
  }

  @Test("KVO.13: the path is refused as the key alone is, with the same cure", arguments: ["plain", "shown", "rows"])
  func refused(key: String) throws {
    let error = refusal("cache.\(key)")
    #expect(error?.code == .notObservable && error?.component == key && error?.keyPath == "cache.\(key)")
    #expect(error?.message == direct(key, of: owner.cache ?? Cache()))
    #expect(error?.description == (error?.message ?? "") + " (In the path \"cache.\(key)\" from CacheOwner.)")
    #expect(refusal("cache.\(key).@count")?.message == error?.message)
    #expect(throws: KVError.self) { try KeyBox().bind("name", to: "cache.\(key)", of: owner) }
    #expect(throws: KVError.self) { try owner.observe("cache.\(key)", owner: log) { _, _ in } }
    expectNoObserversLeft(on: owner)
  }

  @Test("KVO.13: the sentence for a plain property behind a path")
  func sentence() {
    #expect(
      refusal("cache.plain")?.description == #"""
        "plain" of Cache never notifies of a change. If "plain" is a stored property, declare it @KVProperty var plain, or \#
        add the line key("plain", \.plain) to the keyTable of Cache, which tells of writes by key; if it is computed, add \#
        .affected(by:) or .notifiesManually() to its line. (In the path "cache.plain" from CacheOwner.)
        """#)
  }

  @Test("KVO.13: a struct behind such a key, and a nil, are refused as well")
  func inside() {
    #expect(refusal("cache.size.width")?.component == "size")
    #expect(refusal("cache.nothing.plain")?.component == "nothing")
  }

  @Test("KVO.13: a let, and what is behind it, never changes: its path notifies when the object before it is replaced")
  func constant() throws {
    let tokens = try ["cache.number", "cache.fixed.width", "cache.box.name"].map { try log.watch(owner, KVKeyPath($0)) }
    owner.cache = Cache(2)
    #expect(
      log.take() == [
        "cache.number setting 1 → 2", "cache.fixed.width setting 1.0 → 1.0", "cache.box.name setting a → a",
      ])
    owner.cache?.box.name = "b"
    #expect(log.take() == ["cache.box.name setting a → b"])
    tokens.forEach { $0.cancel() }
    expectNoObserversLeft(on: owner)
  }

  @Test("KVO.13: an object that appears later is reported; the path has its value, and goes on")
  func later() throws {
    owner.cache = nil
    let token = try log.watch(owner, "cache.plain")
    let events = capturingEvents { owner.cache = Cache() }.about(owner)
    #expect(events.map(\.level) == [.error] && events.map(\.topic) == [.faultyPath])
    #expect(
      events.first?.message == #"""
        observing CacheOwner.cache.plain: "plain" of Cache never notifies of a change. If "plain" is a stored property, \#
        declare it @KVProperty var plain, or add the line key("plain", \.plain) to the keyTable of Cache, which tells of \#
        writes by key; if it is computed, add .affected(by:) or .notifiesManually() to its line.
        """#)
    owner.cache = nil
    #expect(log.take() == ["cache.plain setting nil → 1", "cache.plain setting 1 → nil"])
    token.cancel()
    expectNoObserversLeft(on: owner)
  }

  @Test("KVO.13, BND.3: the path of a target is followed as far as it notifies")
  func targets() throws {
    let box = KeyBox()
    box.number = 3
    owner.cache?.hidden = KeyBox()
    try owner.bind("cache.hidden.number", to: "number", of: box)
    #expect(owner.cache?.hidden?.number == 3)
    let next = Cache()
    next.hidden = KeyBox()
    owner.cache = next
    #expect(next.hidden?.number == 3)
  }

  @Test("KVO.13, KVO.21: an affecting path that ends so is reported, with the line that declares it")
  func dependents() throws {
    let events = try capturingEvents {
      let token = try log.watch(owner, "summary")
      owner.cache = Cache(5)
      token.cancel()
    }.about(owner)
    #expect(log.take() == ["summary setting 1 → 1"])
    #expect(events.allSatisfy { $0.topic == .faultyPath && $0.location?.contains("NonNotifyingEndTests") == true })
    #expect(
      events.first?.message.hasPrefix(
        "what \"summary\" of CacheOwner depends on: \"plain\" of Cache never notifies of a change.") == true)
  }

  @Test("KVO.18, SRT.10: operators and lists leave out what never notifies in an element, as before")
  func elements() throws {
    owner.caches = [Cache(), Cache()]
    let token = try log.watch(owner, "caches.@sum.plain")
    let list = try KVArrangement<Cache>(of: "caches", in: owner, sortedBy: ["plain"])
    owner.caches.append(Cache())
    #expect(log.take() == ["caches.@sum.plain setting 2 → 3"] && list.elements.count == 3)
    token.cancel()
  }
}

private final class Cache: KVObject {
  var plain = 1
  var size = BoxSize()
  var nothing: Cache?
  var hidden: KeyBox?
  var rows: [Int] = []
  let number: Int
  let fixed = BoxSize()
  let box = KeyBox()
  var shown: String { "\(plain)" }

  init(_ number: Int = 1) { self.number = number }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Cache.self) { key in
      key("number", \.number)
      key("fixed", \.fixed)
      key("box", \.box)
      key("shown", \.shown)
    }
  }
}

private final class CacheOwner: KVObject {
  @KVProperty var cache: Cache? = Cache()
  @KVProperty var caches: [Cache] = []
  var summary: Int { cache?.plain ?? 0 }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CacheOwner.self) { key in
      key("cache", \.cache)
      key("caches", \.caches)
      key("summary", \.summary).affected(by: "cache.plain")
    }
  }
}
