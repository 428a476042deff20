/// An operator with its position in a key path: `left.@name[argument].right`.
struct OperatorCall {
  /// The result of an operator, and whether the remaining path applies to it.
  enum Outcome {
    /// The operator has evaluated the remaining path.
    case complete(Any?)
    /// The remaining path applies to this value.
    case continuing(Any?)
  }

  let name: String
  let argument: String?
  let builtIn: BuiltInOperator?
  let reader: Reader
  /// The index of the first component of the right path.
  let next: Int
  /// The left value as a collection, if that is known already.
  let collection: (any CollectionValue)?

  /// Evaluates the operator on the value of the left path.
  func evaluate(on left: Any) throws(KVError) -> Outcome {
    try Failure.checkNesting(reader.nesting.depth, limit: Limits.nestedCalls, at: "@\(name)")
    if let builtIn, !KVOperator.isReplaced(name) { return try evaluate(builtIn, on: left) }
    guard let custom = KVOperator.registered(name) else { throw unknown() }
    return .complete(try evaluate(custom, on: left))
  }

  /// Whether a built-in operator is replaced by a registered one.
  static var isBuiltInReplaced: Bool { KVOperator.isBuiltInReplaced }

  // MARK: The right path

  var hasRightPath: Bool { next < reader.count }

  /// Whether the right path is `@self`: the elements themselves.
  var isOfElements: Bool {
    next == reader.count - 1 && reader.hops.hops[next].isSelf && !KVOperator.isReplaced("self")
  }

  /// The number of elements that the policy of the path permits; nil without a policy.
  var elementLimit: Int? { reader.hops.hops.pointee.policy?.elementLimit }

  /// Returns the values of the right path for all elements; the elements themselves if there is no right path.
  ///
  /// An error of the right path names the element (KVC.18).
  func rightValues(_ collection: any CollectionValue) throws(KVError) -> [Any?] {
    try collection.checkCount()
    guard hasRightPath else { return collection.elements }
    return try reader.nesting.counting(collection.elementCount, at: "@\(name)", limit: elementLimit) {
      nesting throws(KVError) in
      if isOfElements { return collection.elements }
      let reader = Reader(reader.hops, reader.count, nesting: nesting)
      var index = 0
      return try collection.mapElements { element throws(KVError) in
        defer { index += 1 }
        guard let element else { return nil }
        do throws(KVError) { return try reader.value(of: element, from: next) } catch {
          throw error.ofElement(index, isOrdered: type(of: collection).isOrdered, of: name)
        }
      }
    }
  }

  /// Counts the elements of which the right path was read without ``rightValues(_:)``.
  func count(_ collection: any CollectionValue) throws(KVError) {
    try reader.nesting.counting(collection.elementCount, at: "@\(name)", limit: elementLimit) { _ in }
  }

  /// Returns how a message names an element: by its index, if it has one.
  func elementLocation(_ index: Int, in collection: any CollectionValue) -> String {
    type(of: collection).isOrdered ? "element \(index)" : "an element"
  }

  /// Returns the left value as a collection that operators can process.
  func collection(_ left: Any) throws(KVError) -> any CollectionValue {
    guard let collection = collection ?? collectionValue(left) else {
      let cure = TypeInfo.of(left).kind == .record ? "; the names of a record are its keys: record.keys.count" : ""
      throw failure("it needs a collection to its left, and found \(describe(left))\(cure)")
    }
    if type(of: collection).isKeyed, name != BuiltInOperator.count.rawValue {
      throw failure("it needs an array or a set to its left, and found a dictionary; name an entry of it first")
    }
    return collection
  }

  // MARK: Failures

  func failure(_ reason: String, underlying: (any Error)? = nil) -> KVError {
    KVError(.operatorFailed, "@\(name): \(reason).", component: "@\(name)", underlying: underlying)
  }

  private func unknown() -> KVError {
    let known = KVOperator.names
    let suggestion = Suggestion.nearest(to: name, among: known).map { "@\($0)" }
    let list = known.map { "@\($0)" }
    return KVError(
      .unknownOperator,
      "unknown operator \"@\(name)\".\(Suggestion.question(suggestion)) Known operators: \(list.joined(separator: ", ")).",
      component: "@\(name)", knownKeys: list, suggestion: suggestion)
  }

  private func evaluate(_ custom: KVOperator.Body, on left: Any) throws(KVError) -> Any? {
    let collection = try collection(left)
    try collection.checkCount()
    let call = KVOperator.Call(
      argument: argument, elements: collection.elements, values: try rightValues(collection))
    do {
      return try custom(call).flatMap(unwrappingOptionals)
    } catch let error as KVError {
      throw error
    } catch {
      throw failure("\(error)", underlying: error)
    }
  }
}
