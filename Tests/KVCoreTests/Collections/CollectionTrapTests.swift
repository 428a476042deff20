import KVCore
import Testing

@Suite("COL.3: the collection conformance traps with a sentence")
struct CollectionTrapTests {
  private func sentence(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }

  @Test("COL.3: reading out of range")
  func reading() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ShopShelf().mutableArray(forKey: "plain")[3]
    }
    #expect(sentence(result).contains("index 3 is out of range: valid indexes are 0 to 2."))
  }

  @Test("COL.3: writing out of range")
  func writing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ShopShelf().mutableArray(forKey: "single")[-1] = "x"
    }
    #expect(sentence(result).contains("index -1 is out of range: valid indexes are 0 to 2."))
  }

  @Test("COL.3: counting what is no array")
  func counting() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = ShopShelf().mutableArray(forKey: "offer").count
    }
    #expect(sentence(result).contains("\"offer\" is not an array"))
  }

  @Test("COL.3: counting and iterating what does not exist traps with the cure, at the line that made the view")
  func undefined() async {
    let counting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Misspelt.array().count
    }
    #expect(sentence(counting).contains("undefined key \"plian\" of ShopShelf. Did you mean \"plain\"?"))
    #expect(sentence(counting).contains("CollectionTrapTests.swift:\(Misspelt.line): Fatal error"))
    let iterating = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      for _ in Misspelt.set() {}
    }
    #expect(sentence(iterating).contains("undefined key \"nothing\" of ShopShelf."))
    #expect(sentence(iterating).contains("CollectionTrapTests.swift:\(Misspelt.line + 1): Fatal error"))
  }

  private enum Misspelt {
    static let line = #line + 1
    static func array() -> KVMutableArray { ShopShelf().mutableArray(forKey: "plian") }
    static func set() -> KVMutableSet { ShopShelf().mutableSet(forKey: "nothing") }
  }

  @Test("COL.3: an element that does not fit")
  func fitting() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ShopShelf().mutableArray(forKey: "plain")[0] = 5
    }
    #expect(sentence(result).contains("the Int 5 is not a String"))
  }
}
