/// The order of two values.
enum Ordering {
  case less, same, greater

  init<T: Comparable>(_ left: T, _ right: T) { self = left < right ? .less : left == right ? .same : .greater }

  /// The order of two values, numbers across types; `nil` if they cannot be compared.
  init?(of left: Any, and right: Any) {
    func open<T: Comparable>(_ left: T) -> Ordering? { (right as? T).map { Ordering(left, $0) } }
    if let left = KVNumber(of: left), let right = KVNumber(of: right) {
      guard let ordering = KVNumber.compare(left, right) else { return nil }
      self = ordering
    } else {
      guard let left = left as? any Comparable, let ordering = open(left) else { return nil }
      self = ordering
    }
  }

  var reversed: Ordering {
    switch self {
    case .less: .greater
    case .same: .same
    case .greater: .less
    }
  }
}
