import KVBinding
import KVCore
import KVTestSupport
import Testing

@Suite("COL.6: changes in place of a @KVProperty")
struct ChangeInPlaceTests {
  private final class Shelf: KVObject {
    @KVProperty var books: [Int] = Array(repeating: 0, count: 100)
    @KVProperty var prices: [String: Int] = ["a": 1]
    @KVProperty var title = "x"
    @KVProperty var noted: [Int] = [] { didSet { notes.append(noted) } }
    var notes: [[Int]] = []
    var count: Int { books.count }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Shelf.self) { key in
        key("books", \.books)
        key("prices", \.prices)
        key("title", \.title)
        key("noted", \.noted)
        key("count", \.count).affected(by: "books")
      }
    }

    /// Where the elements are stored.
    var home: UnsafeRawPointer? { books.withUnsafeBytes { $0.baseAddress } }
  }

  private struct Refusal: Error {}

  private let shelf = Shelf()

  init() { shelf.books.reserveCapacity(200) }

  /// Appends to the books; whether they stayed where they were.
  private func appendsInPlace() -> Bool {
    let home = shelf.home
    shelf.books.append(1)
    return shelf.home == home
  }

  @Test("COL.6: an unobserved array is changed where it is stored")
  func unobserved() { #expect(appendsInPlace()) }

  @Test("COL.6: so is one whose observers want the new value only, or nothing; each is notified once, of a setting")
  func newValueOnly() throws {
    let counts = Counts()
    let tokens = [
      try shelf.observe("books", options: [.new]) { counts.note(($0.new as? [Int])?.count, $0.kind) },
      try shelf.observe("books", options: []) { counts.note(($0.new as? [Int])?.count, $0.kind) },
      try shelf.observe("books", as: [Int].self, options: .new) { counts.note($0.new?.count, $0.kind) },
    ]
    #expect(appendsInPlace())
    #expect(counts.values == [101, nil, 101] && counts.kinds == [.setting, .setting, .setting])
    withExtendedLifetime(tokens) {}
  }

  @Test("COL.6: so is one while other keys of the object are observed in any way")
  func otherKeys() throws {
    let tokens = [
      try shelf.observe("title", options: [.old, .new, .prior]) { _ in },
      try shelf.observe("prices") { _ in },
    ]
    // One bit stands for every 64th key of the process; a key of the same bit is treated as observed.
    let sharesBit = ["title", "prices"].contains { InternedKey($0).bit == InternedKey("books").bit }
    #expect(appendsInPlace() || sharesBit)
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "COL.6: an observer that wants the old value gets it, and the array is copied",
    arguments: [[.old], [.old, .new], [.new, .distinct], [.prior, .old]] as [KVObservingOptions])
  func oldValue(_ options: KVObservingOptions) throws {
    var olds: [Int?] = []
    let token = try shelf.observe("books", options: options) { olds.append(($0.old as? [Int])?.count) }
    #expect(!appendsInPlace())
    let old = options.contains(.old) ? 100 : nil
    #expect(olds == (options.contains(.prior) ? [old, old] : [old]))
    token.cancel()
    #expect(appendsInPlace())
  }

  @Test("COL.6, DEP.1: a dependent key is notified with its own old and new value")
  func dependent() throws {
    let recorder = try KVChangeRecorder(of: shelf, "count")
    shelf.books.append(1)
    recorder.expect([.set("count", from: 100, to: 101)])
  }

  @Test("COL.6: entries of a dictionary, inout arguments, and elements by index")
  func forms() throws {
    let recorder = try KVChangeRecorder(of: shelf, "prices", "books", options: [.new])
    shelf.prices["b"] = 2
    shelf.books[3] += 4
    shelf.books.swapAt(0, 3)
    func clear(_ books: inout [Int]) { books.removeAll() }
    clear(&shelf.books)
    let log = recorder.take()
    #expect(log.map { "\($0.keyPath)" } == ["prices", "books", "books", "books"])
    #expect(log.first?.new as? [String: Int] == ["a": 1, "b": 2])
    #expect(log.last?.new as? [Int] == [])
  }

  @Test("COL.6: a change in place that throws is notified: the value may have changed", arguments: [true, false])
  func throwing(wantsOld: Bool) throws {
    let recorder = try KVChangeRecorder(of: shelf, "books", options: wantsOld ? [.old, .new] : [.new])
    func fail(_ books: inout [Int]) throws {
      books.append(7)
      throw Refusal()
    }
    #expect(throws: Refusal.self) { try fail(&shelf.books) }
    #expect(shelf.books.count == 101)
    #expect(recorder.take().map { ($0.new as? [Int])?.last } == [7])
  }

  @Test("COL.6, MOD.2: didSet of the class is called once, with the value in place")
  func didSet() throws {
    let recorder = try KVChangeRecorder(of: shelf, "noted")
    shelf.noted.append(1)
    shelf.noted.append(2)
    #expect(shelf.notes == [[1], [1, 2]])
    recorder.expect([.set("noted", from: [], to: [1]), .set("noted", from: [1], to: [1, 2])])
  }

  @Test("COL.6, KVO.15: a change in place within a change by hand notifies on its own, as a setter does")
  func manual() throws {
    let recorder = try KVChangeRecorder(of: shelf, "books", options: [.new])
    shelf.withChange(forKey: "books") { shelf.books.append(1) }
    #expect(recorder.take().count == 2)
  }

  private final class Counts {
    var values: [Int?] = []
    var kinds: [KVChange.Kind] = []
    func note(_ value: Int?, _ kind: KVChange.Kind) {
      values.append(value)
      kinds.append(kind)
    }
  }
}
