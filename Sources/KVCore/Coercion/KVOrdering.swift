/// The order of two values.
public enum KVOrdering: Sendable {
  /// The first value precedes the second one.
  case less
  /// Neither value precedes the other.
  case same
  /// The second value precedes the first one.
  case greater

  init<T: Comparable>(_ left: T, _ right: T) { self = left < right ? .less : left == right ? .same : .greater }

  /// The order of two texts, by Swift's `<`.
  ///
  /// Swift puts neither first of two texts in other normal forms, one of which begins the other: the shorter one is less.
  @inline(__always)
  init(texts left: String, _ right: String) {
    self = left == right ? .same : left < right ? .less : KVOrdering(unequal: left, right)
  }

  @inline(never)
  private init(unequal left: String, _ right: String) {
    self = right < left || right.count < left.count ? .greater : .less
  }

  /// The order of two values, numbers across types; `nil` if they cannot be compared.
  init?(of left: Any, and right: Any) {
    func open<T: Comparable>(_ left: T) -> KVOrdering? { (right as? T).map { KVOrdering(left, $0) } }
    if let left = KVNumber(of: left), let right = KVNumber(of: right) {
      guard let ordering = KVNumber.compare(left, right) else { return nil }
      self = ordering
    } else {
      guard let left = left as? any Comparable, let ordering = open(left) else { return nil }
      self = ordering
    }
  }

  var reversed: KVOrdering {
    switch self {
    case .less: .greater
    case .same: .same
    case .greater: .less
    }
  }
}

typealias Ordering = KVOrdering
