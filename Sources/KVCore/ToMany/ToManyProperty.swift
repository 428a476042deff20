/// A to-many key of an object, as collection views access it: by reading from its owner and writing by its accessors.
struct ToManyProperty {
  let root: any KeyValueCoding & AnyObject
  let path: KVKeyPath
  let form: Form
  /// Whether the view is of a path, which was resolved when the view was made, and can lead elsewhere later.
  let isOfPath: Bool
  /// Where the view was made, which a trap names.
  let location: CodeLocation

  /// The number of elements that the policy of the path permits; nil without a policy.
  var elementLimit: Int? { path.policy?.elementLimit }

  /// The purpose for which a collection is resolved: a function that may copy all elements, or one that reads their
  /// number and single ones, of which a collection that makes them may have more than may be visited (KVC.18).
  enum Use {
    case elements, oneByOne
  }

  /// The form of collection that a view requires, named as in error messages.
  enum Form: String {
    case array, set

    var withArticle: String { self == .array ? "an array" : "a set" }

    /// Returns whether collections of a type have the form.
    func fits(collection type: any CollectionValue.Type) -> Bool {
      !type.isKeyed && type.isOrdered == (self == .array)
    }

    /// Returns whether values of a type, without optionals, can be collections of the form.
    func fits(_ type: Any.Type) -> Bool {
      let type = innermostType(type)
      if let collection = type as? any CollectionValue.Type { return fits(collection: collection) }
      if isForeignCollection(type) { return self == .array }
      // A protocol type or `Any` can be a collection, too.
      func open<T>(_ type: T.Type) -> Bool {
        switch self {
        case .array: [Any]() is T
        case .set: Set<AnyHashable>() is T
        }
      }
      return _openExistential(type, do: open)
    }
  }

  func located<Result>(_ body: () throws(KVError) -> Result) throws(KVError) -> Result {
    try KVError.locating(path.description, of: type(of: root), body)
  }

  /// Calls a function with the location of the collection, which is read once.
  func withResolved<Result>(
    _ use: Use = .elements, _ body: (ResolvedProperty) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    try located { () throws(KVError) in try body(try resolve(use)) }
  }

  /// Calls a function with the location of the collection; traps with the sentence of the error, if there is one, at the
  /// line that made the view.
  func trapping<Result>(
    _ use: Use = .elements, _ body: (ResolvedProperty) throws(KVError) -> Result
  ) -> Result {
    // `fatalError`, since `preconditionFailure` traps without its message in optimized builds.
    do throws(KVError) { return try withResolved(use, body) } catch {
      fatalError(error.description, file: location.file, line: location.line)
    }
  }

  /// Calls a function with the location of the collection, for members that cannot throw; returns nil if a path leads to
  /// no such collection any more (COL.3).
  func reading<Result>(_ body: (ResolvedProperty) -> Result) -> Result? {
    isOfPath ? try? withResolved(.oneByOne, body) : trapping(.oneByOne, body)
  }

  /// Throws if there is no such collection; a value that is missing on the way to it can come later.
  func check() throws(KVError) {
    // The type that a table declares needs no reading.
    if path.policy == nil, let (_, accessor) = path.leaf(of: root),
      accessor.borrow({ $0.value.collection.map(form.fits(collection:)) ?? false })
    {
      return
    }
    do throws(KVError) { try withResolved(.oneByOne) { _ in } } catch {
      if error.code != .unresolvedPath, error.code != .indexOutOfRange { throw error }
    }
  }

  /// Returns the elements, converted, in a collection of the property's type.
  ///
  /// An element that cannot be converted makes it throw, before observers are notified and before anything changes.
  func fitting(_ elements: [Any], _ resolved: ResolvedProperty) throws(KVError) -> any CollectionValue {
    // Dictionaries are stored as records, of which observers are notified, too.
    if resolved.info.kind == .record, form == .array {
      let adopted = try elements.map(Self.adopted)
      // A nil makes it an array of optionals.
      if adopted.contains(where: { $0 == nil }) { return adopted }
      return try fitting(adopted.map(asAny), resolved.type, resolved)
    }
    return try fitting(elements, resolved.type, resolved)
  }

  private func fitting(
    _ elements: [Any], _ declared: (any CollectionValue.Type)?, _ resolved: ResolvedProperty
  ) throws(KVError) -> any CollectionValue {
    let fresh: (any CollectionValue.Type)? = form == .set ? Set<AnyHashable>.self : nil
    guard let type = declared ?? fresh else { return elements }
    do throws(CoercionFailure) {
      let coercion = resolved.accessor?.declaration.coercion ?? Coercion()
      return try type.converting(elements, with: coercion) as? any CollectionValue ?? elements
    } catch {
      let failure = elements.count == 1 ? error.ofOnlyElement : error
      throw Failure.element(failure, key: resolved.key, of: resolved.info.type)
    }
  }
}

extension ToManyProperty {
  private static func adopted(_ element: Any) throws(KVError) -> Any? {
    try unwrappingOptionals(element).flatMap { value throws(KVError) in try KVRecord.adopted(value, depth: 1) }
  }
}
