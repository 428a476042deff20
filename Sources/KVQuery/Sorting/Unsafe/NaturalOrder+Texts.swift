import KVCore

extension NaturalOrder {
  /// Returns the order of two texts.
  static func compare(_ left: String, _ right: String) -> KVOrdering {
    var left = left
    var right = right
    let ordering = left.withUTF8 { left in right.withUTF8 { right in compareASCII(left, right) } }
    return ordering ?? compareScalars(left, right)
  }
}
