import KVCore

// Functions of several values: those of a collection, or several arguments (FLT.11).

extension PredicateFunctions {
  static let statistics: [String: Function] = [
    "sum": several { values throws(KVError) in Scalar(try total(values).sum) },
    "average": several { values throws(KVError) in Scalar(try total(values).average(over: values.count)) },
    "count": Function(counts: 1...1) { arguments throws(KVError) in
      if arguments[0].isNil { return .integer(0) }
      guard let collection = arguments[0].collection else { throw mismatch(arguments[0], "a collection") }
      return .integer(collection.count)
    },
    "min": several { values throws(KVError) in try extreme(values, .less) },
    "max": several { values throws(KVError) in try extreme(values, .greater) },
    "median": several { values throws(KVError) in median(try numbers(values)) },
    "mode": mode(by: nil),
    "stddev": several { values throws(KVError) in
      let numbers = try numbers(values).map(\.double)
      guard !numbers.isEmpty else { return .none }
      let mean = numbers.reduce(0, +) / Double(numbers.count)
      return .floating((numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)).squareRoot())
    },
  ]

  /// Returns the function that finds the most frequent values, whose comparisons a policy may limit (KVC.18).
  static func mode(by policy: PathPolicy?) -> Function {
    several { values throws(KVError) in
      var distinct = DistinctValues(limit: policy?.elementLimit)
      var (counts, firsts): ([Int], [Any?]) = ([], [])
      for value in values where !value.isNil {
        let index = try distinct.index(of: value)
        if index == counts.count {
          counts.append(0)
          firsts.append(value.any)
        }
        counts[index] += 1
      }
      let most = counts.max() ?? 0
      return .other(counts.indices.filter { counts[$0] == most }.map { firsts[$0] } as [Any?])
    }
  }

  /// Returns a function of the elements of its only argument, or of its arguments.
  private static func several(_ body: @escaping @Sendable ([Scalar]) throws(KVError) -> Scalar) -> Function {
    Function(counts: 1...Int.max) { arguments throws(KVError) in
      guard arguments.count == 1 else { return try body(arguments) }
      if arguments[0].isNil { return try body([]) }
      guard let collection = arguments[0].collection else { throw mismatch(arguments[0], "a collection") }
      return try body(try collection.all().map { Scalar($0) })
    }
  }

  private static func total(_ values: [Scalar]) throws(KVError) -> NumberTotal {
    var total = NumberTotal()
    for number in try numbers(values) { total.add(number) }
    return total
  }

  private static func numbers(_ values: [Scalar]) throws(KVError) -> [AnyNumber] {
    var result: [AnyNumber] = []
    for value in values where !value.isNil {
      guard let number = value.operand else { throw mismatch(value, "a number") }
      result.append(number)
    }
    return result
  }

  /// Returns the middle number, or the mean of the two in the middle.
  private static func median(_ numbers: [AnyNumber]) -> Scalar {
    guard !numbers.isEmpty else { return .none }
    if numbers.contains(where: \.double.isNaN) { return .floating(.nan) }
    let sorted = numbers.sorted { AnyNumber.compare($0, $1) == .less }
    let upper = sorted[numbers.count / 2]
    if numbers.count % 2 == 1 { return scalar(upper) }
    let lower = sorted[numbers.count / 2 - 1]
    if case .integer(let first) = lower, case .integer(let second) = upper {
      let (sum, overflow) = first.addingReportingOverflow(second)
      if !overflow, sum % 2 == 0 { return scalar(.integer(sum / 2)) }
    }
    var total = NumberTotal()
    total.add(lower)
    total.add(upper)
    return Scalar(total.average(over: 2))
  }

  private static func scalar(_ number: AnyNumber) -> Scalar {
    switch number {
    case .integer(let value): scalar(value)
    case .floating(let value): .floating(value)
    case .wide(let value): Scalar(value)
    case .exact(let value): Scalar(value)
    }
  }

  private static func extreme(_ values: [Scalar], _ wanted: KVOrdering) throws(KVError) -> Scalar {
    var best = Scalar.none
    for value in values where !value.isNil {
      if best.isNil {
        best = value
        continue
      }
      guard let ordering = SortKeys.compare(value, best) else {
        throw KVError(
          .typeMismatch, "\(describe(asAny(value.any))) and \(describe(asAny(best.any))) cannot be compared.")
      }
      if ordering == wanted { best = value }
    }
    return best
  }
}

extension Scalar {
  /// The collection; nil for another value.
  var collection: CollectionElements? {
    if case .other(let value) = self { CollectionElements(of: value) } else { nil }
  }
}
