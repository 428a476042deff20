/// The order of two values.
public enum KVOrdering: Sendable {
  /// The first value precedes the second one.
  case less
  /// Neither value precedes the other.
  case same
  /// The second value precedes the first one.
  case greater

  @inlinable @inline(__always)
  package init<T: Comparable>(_ left: T, _ right: T) { self = left < right ? .less : left == right ? .same : .greater }

  /// The order of two texts, by the scalars of their canonical composed forms.
  @inlinable @inline(__always)
  package init(texts left: String, _ right: String) {
    self =
      left == right
      ? .same : left.isASCII && right.isASCII ? KVOrdering(left, right) : KVOrdering(mixed: left, right)
  }

  @usableFromInline @inline(never)
  init(mixed left: String, _ right: String) {
    self = KVOrdering(Self.terminated(left), Self.terminated(right))
  }

  /// Returns a text that begins no other one, in the place of a text.
  ///
  /// Swift's `<` compares scalars; but if one text begins the other, it counts bytes, whose number depends on the normal
  /// forms. Two zeros end a text, and a zero in it is followed by a one.
  package static func terminated(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text + "\0\0" }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      scalars.append(scalar)
      if scalar == "\0" { scalars.append("\u{1}") }
    }
    return String(scalars) + "\0\0"
  }

  /// The order of two values, numbers across types; `nil` if they cannot be compared.
  init?(of left: Any, and right: Any) {
    func open<T: Comparable>(_ left: T) -> KVOrdering? {
      if let right = valueCast(right, to: T.self) { return KVOrdering(left, right) }
      return (commonSuperclass(left, right) as? any Comparable.Type).flatMap { ordering($0) }
    }
    func ordering<Class: Comparable>(_ type: Class.Type) -> KVOrdering? {
      guard let left = left as? Class, let right = right as? Class else { return nil }
      return KVOrdering(left, right)
    }
    if let left = AnyNumber(of: left), let right = AnyNumber(of: right) {
      guard let ordering = AnyNumber.compare(left, right) else { return nil }
      self = ordering
    } else {
      guard let left = left as? any Comparable, let ordering = open(left) else { return nil }
      self = ordering
    }
  }

  @inlinable
  package var reversed: KVOrdering {
    switch self {
    case .less: .greater
    case .same: .same
    case .greater: .less
    }
  }
}
