/// A to-many key of an object, seen by a proxy: always read through the owner, always written through its accessors.
struct ToManyProperty {
  let root: any KeyValueCoding & AnyObject
  let path: KVKeyPath
  let form: Form

  /// What a view needs the property to hold; named as errors call it.
  enum Form: String {
    case array, set

    /// Whether collections of a type are such.
    func fits(collection type: any CollectionValue.Type) -> Bool {
      !type.isKeyed && type.isOrdered == (self == .array)
    }

    /// Whether values of a type, or of a type inside its optionals, can be such collections.
    func fits(_ type: Any.Type) -> Bool {
      let type = innermostType(type)
      if let collection = type as? any CollectionValue.Type { return fits(collection: collection) }
      // A protocol or `Any` takes a collection too.
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
    do throws(KVError) { return try body() } catch {
      throw error.located(path: path.description, root: typeName(Swift.type(of: root)))
    }
  }

  /// Calls a function with the place, which is read once.
  func withPlace<Result>(_ body: (Place) throws(KVError) -> Result) throws(KVError) -> Result {
    try located { () throws(KVError) in try body(try place()) }
  }

  /// Returns elements as the property holds them, in a collection of its type; what does not fit is refused before
  /// anything is told or changed.
  func fitting(_ elements: [Any], _ place: Place) throws(KVError) -> any CollectionValue {
    // What a record stores is a record, so that is what is told, too.
    if place.info.kind == .record, form == .array {
      let adopted = try elements.map(Self.adopted)
      // A nil makes it an array of optionals.
      if adopted.contains(where: { $0 == nil }) { return adopted }
      return try fitting(adopted.map(boxed), place.type, place)
    }
    return try fitting(elements, place.type, place)
  }

  private func fitting(
    _ elements: [Any], _ declared: (any CollectionValue.Type)?, _ place: Place
  ) throws(KVError) -> any CollectionValue {
    let fresh: (any CollectionValue.Type)? = form == .set ? Set<AnyHashable>.self : nil
    guard let type = declared ?? fresh else { return elements }
    do throws(CoercionFailure) {
      let coercion = place.accessor?.declaration.coercion ?? Coercion()
      return try type.converting(elements, with: coercion) as? any CollectionValue ?? elements
    } catch {
      throw Failure.coercion(error, key: place.key, of: place.info.type)
    }
  }
}

extension ToManyProperty {
  private static func adopted(_ element: Any) throws(KVError) -> Any? {
    try flattened(element).flatMap { value throws(KVError) in try KVRecord.adopted(value, depth: 1) }
  }
}

/// Returns an element as it stands in an array of `Any`: without an optional around it, unless it is nil.
package func boxed(_ element: Any?) -> Any { element ?? Any?.none as Any }
