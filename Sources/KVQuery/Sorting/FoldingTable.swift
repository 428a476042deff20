import KVCore

/// The case folding, diacritics and digits of scalars that are not ASCII.
///
/// The table is made of ``FoldingData`` at its first use. It is the same on every platform, which those of the standard
/// library are not.
struct FoldingTable: Sendable {
  /// The facts about one scalar.
  struct Entry: Sendable {
    /// The case folding of the scalar; empty if the scalar folds to itself.
    var folded: [UInt32] = []
    /// The letter without its last diacritic, and the diacritic; empty for itself.
    var parts: [UInt32] = []
    var isMark = false
    /// The value of a decimal digit.
    var digit: UInt8?
  }

  static let shared = FoldingTable()

  private static let pageSize: UInt32 = 256
  /// The page of each 256 scalars; the first page is empty.
  private var pages: [UInt16]
  /// The entry of each scalar of a page; the first entry is empty.
  private var cells: [UInt16]
  private var entries: [Entry] = [Entry()]

  /// The facts about a scalar; nil if it is neither folded nor a diacritic nor a digit.
  @inline(__always)
  subscript(scalar: UInt32) -> Entry? {
    guard scalar < 0x110000 else { return nil }
    let cell = cells[Int(pages[Int(scalar / Self.pageSize)]) * Int(Self.pageSize) + Int(scalar % Self.pageSize)]
    return cell == 0 ? nil : entries[Int(cell)]
  }

  private init() {
    pages = Array(repeating: 0, count: Int(0x110000 / Self.pageSize))
    cells = Array(repeating: 0, count: Int(Self.pageSize))
    for numbers in Self.tokens(FoldingData.cases) {
      for index in 0..<numbers[1] {
        let scalar = numbers[0] + index * numbers[2]
        edit(scalar) { $0.folded = [UInt32(scalar + numbers[3])] }
      }
    }
    for numbers in Self.tokens(FoldingData.specialCases) {
      edit(numbers[0]) { $0.folded = numbers.dropFirst().map { UInt32($0) } }
    }
    for numbers in Self.tokens(FoldingData.marks) {
      for index in 0..<numbers[1] { edit(numbers[0] + index) { $0.isMark = true } }
    }
    for numbers in Self.tokens(FoldingData.zeros) {
      for digit in 0..<10 { edit(numbers[0] + digit) { $0.digit = UInt8(digit) } }
    }
    var previous = 0
    for numbers in Self.tokens(FoldingData.decompositions) {
      previous += numbers[0]
      edit(previous) { $0.parts = numbers.dropFirst().map { UInt32($0) } }
    }
  }

  private mutating func edit(_ scalar: Int, _ body: (inout Entry) -> Void) {
    let page = scalar / Int(Self.pageSize)
    if pages[page] == 0 {
      pages[page] = UInt16(cells.count / Int(Self.pageSize))
      cells += Array(repeating: 0, count: Int(Self.pageSize))
    }
    let cell = Int(pages[page]) * Int(Self.pageSize) + scalar % Int(Self.pageSize)
    if cells[cell] == 0 {
      cells[cell] = UInt16(entries.count)
      entries.append(Entry())
    }
    body(&entries[Int(cells[cell])])
  }

  /// Returns the numbers of each word of a text; an empty number is one.
  private static func tokens(_ text: String) -> [[Int]] {
    text.split(separator: " ").map { word in
      word.split(separator: ",", omittingEmptySubsequences: false).map { $0.isEmpty ? 1 : Int($0, radix: 16) ?? 0 }
    }
  }
}
