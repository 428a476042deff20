/// The values of one descriptor by slot, in an array of their type while all are of one.
///
/// Texts have their first bytes beside them, which decide most comparisons, while all of them are ASCII.
struct ScalarStore {
  private enum Kind { case none, integer, text, other }

  /// Whether the texts are compared by their scalars.
  private let comparesScalars: Bool
  private(set) var count = 0
  private var kind = Kind.none
  private var integers: [Int] = []
  private var texts: [String] = []
  /// Empty unless all texts have been ASCII.
  private var prefixes: [UInt64] = []
  private var scalars: [Scalar] = []
  /// Which values are nil; empty if none has been.
  private var nils: [Bool] = []

  init(comparesScalars: Bool) { self.comparesScalars = comparesScalars }

  /// Makes room for slots, whose values are nil.
  mutating func reserve(_ count: Int) {
    guard count > self.count else { return }
    let added = count - self.count
    self.count = count
    // A slot without a value is not compared before it has one.
    if !nils.isEmpty { nils.append(contentsOf: repeatElement(true, count: added)) }
    switch kind {
    case .none: break
    case .integer: integers.append(contentsOf: repeatElement(0, count: added))
    case .text:
      texts.append(contentsOf: repeatElement("", count: added))
      if !prefixes.isEmpty { prefixes.append(contentsOf: repeatElement(0, count: added)) }
    case .other: scalars.append(contentsOf: repeatElement(.none, count: added))
    }
  }

  /// The value of a slot.
  subscript(slot: Int) -> Scalar {
    if !nils.isEmpty, nils[slot] { return .none }
    switch kind {
    case .none: return .none
    case .integer: return .integer(integers[slot])
    case .text: return .text(texts[slot])
    case .other: return scalars[slot]
    }
  }

  /// Replaces the value of a slot.
  ///
  /// - Returns: The old value if its release can run any code, which must be after the access.
  mutating func replace(_ slot: Int, by value: Scalar) -> Scalar {
    if value.isNil, kind != .other {
      if nils.isEmpty { nils = Array(repeating: false, count: count) }
      _ = clear(slot)
      nils[slot] = true
      return .none
    }
    if kind == .none { begin(value) }
    if !nils.isEmpty { nils[slot] = value.isNil }
    switch (kind, value) {
    case (.integer, .integer(let integer)): integers[slot] = integer
    case (.text, .text(let text)):
      texts[slot] = text
      if prefixes.isEmpty { break }
      if text.isASCII { prefixes[slot] = TextColumn.prefix(text.utf8) } else { prefixes = [] }
    default:
      if kind != .other { generalize() }
      var old = value
      swap(&old, &scalars[slot])
      return old
    }
    return .none
  }

  /// Forgets the value of a slot, which is not compared until it has another one.
  ///
  /// - Returns: As ``replace(_:by:)``.
  mutating func clear(_ slot: Int) -> Scalar {
    if kind == .text { texts[slot] = "" }
    guard kind == .other else { return .none }
    var old = Scalar.none
    swap(&old, &scalars[slot])
    return old
  }

  /// Begins with values of the type of the first one.
  private mutating func begin(_ value: Scalar) {
    switch value {
    case .integer:
      kind = .integer
      integers = Array(repeating: 0, count: count)
    case .text:
      kind = .text
      texts = Array(repeating: "", count: count)
      if comparesScalars { prefixes = Array(repeating: 0, count: count) }
    default:
      kind = .other
      scalars = Array(repeating: .none, count: count)
    }
  }

  /// Continues with values of any types.
  private mutating func generalize() {
    scalars = (0..<count).map { self[$0] }
    kind = .other
    (integers, texts, prefixes) = ([], [], [])
  }

  /// Returns the order of two values by their scalars; nil if that needs a closer look at them.
  @inline(__always)
  func compare(_ left: Int, _ right: Int) -> KVOrdering? {
    if !nils.isEmpty, nils[left] || nils[right] { return nil }
    switch kind {
    case .integer: return KVOrdering(integers[left], integers[right])
    case .text:
      if prefixes.isEmpty { return KVOrdering(texts: texts[left], texts[right]) }
      let (first, second) = (prefixes[left], prefixes[right])
      return first == second ? KVOrdering(texts[left], texts[right]) : first < second ? .less : .greater
    case .none, .other: return nil
    }
  }
}
