extension OperatorCall {
  /// Evaluates a built-in operator.
  func evaluate(_ builtIn: BuiltInOperator, on left: Any) throws(KVError) -> Outcome {
    if let argument {
      throw failure(
        "it takes no argument, and brackets behind an operator are one; \(cure(for: argument, of: builtIn))")
    }
    if builtIn.needsRightPath, !hasRightPath {
      throw failure(
        "it needs a key path to its right, as in @\(name).price; write @\(name).@self for the elements themselves")
    }
    switch builtIn {
    case .self: return .continuing(left)
    case .count: return .complete(try collection(left).elementCount)
    case .firstObject: return .continuing(try end(of: left, isFirst: true))
    case .lastObject: return .continuing(try end(of: left, isFirst: false))
    case .sum, .avg: return .complete(try arithmetic(builtIn, try collection(left)))
    case .min, .max: return .complete(try extreme(builtIn, try collection(left)))
    case .unionOfObjects: return .complete(try objects(try collection(left)))
    case .distinctUnionOfObjects: return .complete(try distinct(try objects(try collection(left))))
    case .unionOfArrays: return .complete(try members(try collection(left)))
    case .distinctUnionOfArrays: return .complete(try distinct(try members(try collection(left))))
    case .unionOfSets: return .complete(try set(try members(try collection(left))))
    case .distinctUnionOfSets: return .complete(try set(try distinct(try members(try collection(left)))))
    }
  }

  /// Returns how the path is written whose brackets do not belong to the operator.
  private func cure(for argument: String, of builtIn: BuiltInOperator) -> String {
    if builtIn == .count { return "leave them out" }
    let brackets = KVKeyPath.Component.operator("", argument: argument).description.dropFirst()
    let subscripted = Int(argument) == nil ? KVKeyPath.Component.entry(argument).description : String(brackets)
    let subject = builtIn.needsRightPath ? "each element" : "its result"
    return "for what is in \(subject) write @\(name).self\(subscripted)"
  }

  private func end(of left: Any, isFirst: Bool) throws(KVError) -> Any? {
    let collection = try collection(left)
    if let ordered = collection.ordered {
      guard ordered.elementCount > 0 else { return nil }
      return ordered.element(at: isFirst ? 0 : ordered.elementCount - 1)
    }
    try collection.checkCount()
    let elements = collection.elements
    return (isFirst ? elements.first : elements.last) ?? nil
  }

  /// Returns the values of the right path; throws if one of them is nil (OP.5).
  private func objects(_ collection: any CollectionValue) throws(KVError) -> [Any] {
    let values = try rightValues(collection)
    var result: [Any] = []
    result.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      guard let value else {
        throw failure(
          "\(elementLocation(index, in: collection)) has a nil value, which cannot be part of a union; filter such elements first"
        )
      }
      result.append(value)
    }
    return result
  }

  /// Returns the members of the collections that are the values of the right path.
  private func members(_ collection: any CollectionValue) throws(KVError) -> [Any] {
    var result: [Any] = []
    for (index, value) in try objects(collection).enumerated() {
      guard let members = collectionValue(value), !type(of: members).isKeyed else {
        throw failure(
          "\(elementLocation(index, in: collection)) holds \(describe(value)) where an array or a set is needed")
      }
      try members.checkCount()
      try Limits.check(result.count + members.elementCount, at: "@\(name)", limit: elementLimit)
      for member in members.elements {
        guard let member else {
          throw failure("a collection in \(elementLocation(index, in: collection)) has a nil member")
        }
        result.append(member)
      }
    }
    return result
  }

  private func distinct(_ values: [Any]) throws(KVError) -> [Any] {
    try DistinctValues.of(values, limit: elementLimit)
  }

  private func set(_ values: [Any]) throws(KVError) -> Set<AnyHashable> {
    if let set = Reader.hashableSet(values) { return set }
    let value = values.first { !($0 is AnyHashable) } ?? values
    throw failure("\(describe(value)) is not Hashable, which members of a set must be")
  }
}
