import KVCore

/// The values of one descriptor by slot, in an array of their type while all are of one (SRT.12).
///
/// Texts have their first bytes beside them, which decide most comparisons, while all of them are ASCII.
struct ScalarStore {
  enum Kind { case none, integer, floating, text, other }

  /// Whether texts are compared by their scalars, so that their first bytes are wanted.
  private let comparesScalars: Bool
  private(set) var count = 0
  private(set) var kind = Kind.none
  private(set) var integers: [Int] = []
  private(set) var floatings: [Double] = []
  private(set) var texts: [String] = []
  /// Empty unless all texts have been ASCII.
  private var prefixes: [UInt64] = []
  private(set) var scalars: [Scalar] = []
  /// Which values are nil; empty if none has been.
  private(set) var nils: [Bool] = []

  init(comparesScalars: Bool = false) { self.comparesScalars = comparesScalars }

  /// Makes room for slots, which are not compared before they have values.
  mutating func reserve(_ count: Int) {
    guard count > self.count else { return }
    let added = count - self.count
    self.count = count
    if !nils.isEmpty { nils.append(contentsOf: repeatElement(true, count: added)) }
    switch kind {
    case .none: break
    case .integer: integers.append(contentsOf: repeatElement(0, count: added))
    case .floating: floatings.append(contentsOf: repeatElement(0, count: added))
    case .text:
      texts.append(contentsOf: repeatElement("", count: added))
      if !prefixes.isEmpty { prefixes.append(contentsOf: repeatElement(0, count: added)) }
    case .other: scalars.append(contentsOf: repeatElement(.none, count: added))
    }
  }

  /// The value of a slot.
  subscript(slot: Int) -> Scalar {
    if isNil(slot) { return .none }
    switch kind {
    case .none: return .none
    case .integer: return .integer(integers[slot])
    case .floating: return .floating(floatings[slot])
    case .text: return .text(texts[slot])
    case .other: return scalars[slot]
    }
  }

  /// Returns whether the value of a slot is nil.
  @inline(__always)
  func isNil(_ slot: Int) -> Bool { !nils.isEmpty && nils[slot] }

  /// Replaces the value of a slot.
  ///
  /// - Returns: The old value if its release can run any code, which must be after the access.
  @inline(__always)
  @discardableResult
  mutating func replace(_ slot: Int, by value: Scalar) -> Scalar {
    if value.isNil {
      if nils.isEmpty { nils = Array(repeating: false, count: count) }
      nils[slot] = true
      return clear(slot)
    }
    if kind == .none { begin(value) }
    if !nils.isEmpty { nils[slot] = false }
    switch (kind, value) {
    case (.integer, .integer(let integer)): integers[slot] = integer
    case (.floating, .floating(let floating)): floatings[slot] = floating
    case (.text, .text(let text)):
      texts[slot] = text
      if !prefixes.isEmpty { setPrefix(text, slot) }
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

  private mutating func setPrefix(_ text: String, _ slot: Int) {
    if text.isASCII { prefixes[slot] = TextColumn.prefix(text.utf8) } else { prefixes = [] }
  }

  /// Begins with values of the type of the first one that is not nil.
  private mutating func begin(_ value: Scalar) {
    switch value {
    case .integer:
      kind = .integer
      integers = Array(repeating: 0, count: count)
    case .floating:
      kind = .floating
      floatings = Array(repeating: 0, count: count)
    case .text:
      kind = .text
      texts = Array(repeating: "", count: count)
      if comparesScalars { prefixes = Array(repeating: 0, count: count) }
    case .none, .bool, .other: generalize()
    }
  }

  /// Continues with values of any types.
  mutating func generalize() {
    if kind == .other { return }
    scalars = (0..<count).map { self[$0] }
    kind = .other
    (integers, floatings, texts, prefixes) = ([], [], [], [])
  }

  /// Returns the values of slots, in slots of their own.
  func selecting(_ slots: [Int]) -> ScalarStore {
    var result = self
    result.count = slots.count
    result.prefixes = []
    result.nils = slots.contains(where: isNil) ? nils[at: slots] : []
    switch kind {
    case .none: break
    case .integer: result.integers = integers[at: slots]
    case .floating: result.floatings = floatings[at: slots]
    case .text: result.texts = texts[at: slots]
    case .other: result.scalars = scalars[at: slots]
    }
    return result
  }

  /// Returns the order of two values by their scalars; nil if that needs a closer look at them.
  @inline(__always)
  func compare(_ left: Int, _ right: Int) -> KVOrdering? {
    if !nils.isEmpty, nils[left] || nils[right] { return nil }
    switch kind {
    case .integer: return KVOrdering(integers[left], integers[right])
    case .floating: return FloatingColumn.order(floatings[left], floatings[right])
    case .text:
      if prefixes.isEmpty { return KVOrdering(texts: texts[left], texts[right]) }
      let (first, second) = (prefixes[left], prefixes[right])
      return first == second ? KVOrdering(texts[left], texts[right]) : first < second ? .less : .greater
    case .none, .other: return nil
    }
  }
}
