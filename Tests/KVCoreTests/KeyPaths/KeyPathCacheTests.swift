import KVCore
import Testing

@Suite("The cache of parsed paths")
struct KeyPathCacheTests {
  @Test("THR.1 threads that use the same new texts at once get equal paths")
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

  @Test("THR.1 threads that set observed properties for the first time at once are distinguished by key")
  func firstSets() async {
    await withTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          let page = Page()
          let recorder = NameRecorder()
          _ = page.registrarSlot.registrar { recorder }
          recorder.setObservedKeys(["title", "active", "other"].map { KVKey($0) })
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
}
