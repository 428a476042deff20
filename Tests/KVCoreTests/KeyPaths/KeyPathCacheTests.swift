import Testing

@testable import KVCore

@Suite("The cache of parsed paths")
struct KeyPathCacheTests {
  @Test("THR.1: threads that use the same new texts at once get equal paths")
  func manyThreads() async {
    let texts = (0..<100).map { "thread.path\($0).in.the.cache" }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          texts.allSatisfy { text in
            let copy = String(decoding: Array(text.utf8), as: UTF8.self)
            return (try? copy.keyPath())?.description == text
          }
        }
      }
      for await right in group { #expect(right) }
    }
  }

  @Test("THR.1: threads that set observed properties for the first time at once are distinguished by key")
  func firstSets() async {
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let page = Page()
          let recorder = NameRecorder()
          _ = page.registrarSlot.registrar { recorder }
          recorder.setObservedKeys(["title", "active", "other"].map { InternedKey($0) })
          for _ in 0..<100 {
            page.name = "x"
            page.isActive = true
            page.other = 2
          }
          return Array(Set(recorder.take())).sorted()
        }
      }
      for await names in group { #expect(names == ["active", "other", "title"]) }
    }
  }

  @Test("KP.1: the cache keeps 4,096 texts; others are parsed at each use, and mean the same")
  func bound() throws {
    let cache = KeyPathCache()
    // Longer than what a string stores in itself, so that each has bits of its own while it is alive.
    let texts = (0..<5_000).map { "some.path.to.number.n\($0)" }
    for text in texts { #expect(try cache.path(text).description == text) }
    #expect(texts.count { cache.existing($0) != nil } == KeyPathCache.capacity)
    for text in texts.suffix(10) { #expect(try cache.path(text).description == text) }
    #expect(texts.suffix(904).allSatisfy { cache.existing($0) == nil })
  }

  @Test("KP.1: paths that a program makes itself take at most a quarter of the cache")
  func quarter() throws {
    let cache = KeyPathCache()
    let texts = (0..<2_000).map { "some.path.to.number.n\($0)" }
    for text in texts { _ = try cache.path(text, keepingAtMost: KeyPathCache.capacity / 4) }
    #expect(texts.count { cache.existing($0) != nil } == 1_024)
    for text in texts { _ = try cache.path(text) }
    #expect(texts.allSatisfy { cache.existing($0) != nil })
  }

  @Test("KP.1: a text of more than 256 bytes is not kept")
  func length() throws {
    let cache = KeyPathCache()
    for (length, isKept) in [(256, true), (257, false)] {
      let text = String(repeating: "a", count: length)
      #expect(try cache.path(text).description == text)
      #expect((cache.existing(text) != nil) == isKept)
    }
  }
}
