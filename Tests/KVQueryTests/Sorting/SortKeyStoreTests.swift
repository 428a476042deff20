import TestModels
import Testing

@testable import KVCore
@testable import KVQuery

/// The values that a live arrangement keeps of its elements (SRT.9).
@Suite struct SortKeyStoreTests {
  @Test("SRT.9, CTR.24: if several descriptors fail on an element, the error is that of the first one")
  func firstError() throws {
    for descriptors in [[.natural("year"), .natural("rating")], [.natural("year"), "nope"]] as [[KVSortDescriptor]] {
      let keys = try SortKeyStore(descriptors)
      keys.reserve(2)
      #expect(keys.read(Song("a", 1971, rating: 5), to: 0)?.keyPath == "year")
      #expect(keys.read(value: Song("b", 1990, rating: 3), to: 1)?.keyPath == "year")
    }
  }
}
