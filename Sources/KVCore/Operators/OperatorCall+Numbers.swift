extension OperatorCall {
  /// Evaluates `@sum` and `@avg`, for which nil counts as zero (OP.3).
  func arithmetic(_ builtIn: BuiltInOperator, _ collection: any CollectionValue) throws(KVError) -> Any? {
    var total = NumberTotal()
    if total.add(collection, self) { try count(collection) } else { total = try commonTotal(collection) }
    return builtIn == .sum ? total.sum : total.average(over: collection.elementCount)
  }

  private func commonTotal(_ collection: any CollectionValue) throws(KVError) -> NumberTotal {
    var total = NumberTotal()
    for (index, value) in try rightValues(collection).enumerated() {
      guard let value else { continue }
      guard let number = AnyNumber(of: value) else {
        throw failure("\(elementLocation(index, in: collection)): \(describe(value)) is not a number")
      }
      total.add(number)
    }
    return total
  }

  /// Evaluates `@min` and `@max`, which skip nil and compare numbers across types (OP.4).
  func extreme(_ builtIn: BuiltInOperator, _ collection: any CollectionValue) throws(KVError) -> Any? {
    let wanted: KVOrdering = builtIn == .min ? .less : .greater
    var fastExtreme = NumberExtreme(wanted: wanted)
    if fastExtreme.add(collection, self) {
      try count(collection)
      return fastExtreme.result
    }
    var best: Any?
    for (index, value) in try rightValues(collection).enumerated() {
      guard let value else { continue }
      if best == nil, !(value is any Comparable), !(value is any NumericValue) {
        throw failure("\(elementLocation(index, in: collection)): \(describe(value)) is not Comparable")
      }
      guard let current = best else {
        best = value
        continue
      }
      guard let ordering = KVOrdering(of: value, and: current) else {
        throw failure(
          "\(elementLocation(index, in: collection)): \(describe(value)) and \(describe(current)) cannot be compared")
      }
      if ordering == wanted { best = value }
    }
    return best
  }
}
