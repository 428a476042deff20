/// The order of two values.
enum Ordering {
  case less, same, greater

  init<T: Comparable>(_ left: T, _ right: T) { self = left < right ? .less : left == right ? .same : .greater }

  var reversed: Ordering {
    switch self {
    case .less: .greater
    case .same: .same
    case .greater: .less
    }
  }
}
