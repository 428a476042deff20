extension OperatorCall {
  /// Evaluates `@sum` and `@avg`, for which nil counts as zero (OP.3).
  func arithmetic(_ builtIn: BuiltInOperator, _ collection: any CollectionValue) throws(KVError) -> Any? {
    var total = NumberTotal()
    if !(try FastNumbers.add(collection, self, to: &total)) { total = try commonTotal(collection) }
    return builtIn == .sum ? total.sum : total.average(over: collection.elementCount)
  }

  private func commonTotal(_ collection: any CollectionValue) throws(KVError) -> NumberTotal {
    var total = NumberTotal()
    for value in try rightValues(collection) {
      guard let value else { continue }
      guard let number = value as? any KVNumeric else { throw failure("\(describe(value)) is no number") }
      total.add(number.number)
    }
    return total
  }

  /// Evaluates `@min` and `@max`, which skip nil and compare numbers across types (OP.4).
  func extreme(_ builtIn: BuiltInOperator, _ collection: any CollectionValue) throws(KVError) -> Any? {
    let wanted: Ordering = builtIn == .min ? .less : .greater
    var fastExtreme = NumberExtreme(wanted: wanted)
    if try FastNumbers.add(collection, self, to: &fastExtreme) { return fastExtreme.result }
    var best: Any?
    for value in try rightValues(collection) {
      guard let value else { continue }
      if best == nil, !(value is any Comparable), !(value is any KVNumeric) {
        throw failure("\(describe(value)) is not Comparable")
      }
      guard let current = best else {
        best = value
        continue
      }
      guard let ordering = Self.compare(value, current) else {
        throw failure("\(describe(value)) and \(describe(current)) cannot be compared")
      }
      if ordering == wanted { best = value }
    }
    return best
  }

  private static func compare(_ left: Any, _ right: Any) -> Ordering? {
    if let left = left as? any KVNumeric, let right = right as? any KVNumeric {
      return KVNumber.compare(left.number, right.number)
    }
    guard let comparable = left as? any Comparable else { return nil }
    func open<T: Comparable>(_ left: T) -> Ordering? { (right as? T).map { Ordering(left, $0) } }
    return open(comparable)
  }
}
