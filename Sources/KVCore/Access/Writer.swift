/// Writes along key paths: walks down, writes at the end, and writes changed copies of values back on the way up.
struct Writer {
  let hops: KVKeyPath.Storage
  /// Whether a nil on the way is an error (KVC.12).
  let throwsIfUnresolved: Bool

  /// What became of the container of a value that was written.
  enum Outcome {
    /// It is an object, and changed itself.
    case inPlace
    /// It is a value; this is the changed copy.
    case copy(Any)
    /// A nil stood in the way, and that was to be ignored.
    case unresolved
  }

  init(_ path: KVKeyPath, throwsIfUnresolved: Bool = true) {
    hops = path.storage
    self.throwsIfUnresolved = throwsIfUnresolved
  }

  /// Sets the value at the end of the path.
  func set(_ value: Any?, in root: Any, from start: Int = 0, depth: Int = 0) throws(KVError) -> Outcome {
    try write(root, from: start, depth: depth) { container, last throws(KVError) in
      try set(value, at: last, in: container, depth: depth)
    }
  }

  /// Checks that a value could be set, and changes nothing.
  ///
  /// - Returns: Whether a hook has to answer, so that setting may still fail.
  private func check(_ value: Any?, in root: Any, from start: Int, depth: Int) throws(KVError) -> Bool {
    var needsHook = false
    _ = try write(root, from: start, depth: depth, commits: false) { container, last throws(KVError) in
      needsHook = try check(value, at: last, in: container, depth: depth)
      return .inPlace
    }
    return needsHook
  }

  /// Walks to the container of the last component, lets `change` change it, and writes copies back.
  private func write(
    _ root: Any, from start: Int, depth: Int, commits: Bool = true,
    _ change: (Any, Int) throws(KVError) -> Outcome
  ) throws(KVError) -> Outcome {
    guard var current = unwrappingOptionals(root) else { return try unresolved(start, of: root) }
    let last = hops.count - 1
    // The values between the nearest object and the end: those that a changed copy is written back to.
    var owners: [(owner: Any, index: Int)] = []
    var index = start
    while index < last {
      let info = TypeInfo.of(current)
      if info.isObject { owners.removeAll(keepingCapacity: true) }
      if case .key = hops.components[index], info.kind == .ordered || info.kind == .unordered { break }
      if case .operator = hops.components[index] { throw operatorInPath(index) }
      if case .key("self") = hops.components[index], try Reader.isItself(current) {
        index += 1
        continue
      }
      owners.append((current, index))
      guard let next = try read(index, of: current) else { return try unresolved(index, of: current) }
      current = next
      index += 1
    }
    let info = TypeInfo.of(current)
    if info.isObject { owners.removeAll() }
    if info.kind == .ordered || info.kind == .unordered, let (owner, index) = owners.last {
      // Objects in the collection change at once: it must be certain before that values in it can be written back.
      _ = try check(current, at: index, in: owner, depth: depth)
    }
    var outcome = try change(current, index)
    guard commits else { return .inPlace }
    while case .copy(let changed) = outcome, let (owner, index) = owners.popLast() {
      outcome = try set(changed, at: index, in: owner, depth: depth)
    }
    return outcome
  }

  private func read(_ index: Int, of owner: Any) throws(KVError) -> Any? {
    switch hops.components[index] {
    case .key(let key): try Reader.value(ofKey: key, in: owner)
    case .entry(let key): try Reader.value(ofEntry: key, in: owner)
    case .index(let number): try Reader.element(number, of: owner)
    case .operator: throw operatorInPath(index)
    }
  }

  private func unresolved(_ index: Int, of owner: Any) throws(KVError) -> Outcome {
    guard throwsIfUnresolved else { return .unresolved }
    let component = hops.components[index].description
    throw Failure.unresolved(component, value: "\"\(component)\"", of: owner)
  }

  private func operatorInPath(_ index: Int) -> KVError {
    let component = hops.components[index].description
    return KVError(
      .notSettable,
      "\(component) computes a value, which cannot be written; only keys, indexes and entries can.",
      component: component)
  }

  // MARK: The end of the path

  private func set(_ value: Any?, at index: Int, in owner: Any, depth: Int) throws(KVError) -> Outcome {
    switch hops.components[index] {
    case .key(let key):
      let info = TypeInfo.of(owner)
      if info.kind == .ordered || info.kind == .unordered {
        return try setOnElements(value, of: owner, from: index, depth: depth)
      }
      return try Self.set(value, forKey: key, of: owner, info)
    case .entry(let key):
      let info = TypeInfo.of(owner)
      if info.kind == .ordered || info.kind == .unordered { throw Failure.notKeyed(key, owner) }
      return try Self.set(value, forKey: key, of: owner, info)
    case .index(let number):
      return try Self.set(value, at: number, of: owner)
    case .operator:
      throw operatorInPath(index)
    }
  }

  private func check(_ value: Any?, at index: Int, in owner: Any, depth: Int) throws(KVError) -> Bool {
    guard case .key(let key) = hops.components[index] else { return false }
    let info = TypeInfo.of(owner)
    guard info.kind == .ordered || info.kind == .unordered else {
      return try Self.check(value, forKey: key, of: owner, info)
    }
    guard let collection = owner as? any CollectionValue else { return false }
    return !(try checkElements(value, collection.elements, from: index, depth: depth).hooked.isEmpty)
  }

  /// Checks that each element takes the value; returns the places of those whose hooks have to answer, and of the others.
  private func checkElements(
    _ value: Any?, _ elements: [Any?], from index: Int, depth: Int
  ) throws(KVError) -> (hooked: [Int], others: [Int]) {
    guard depth < Limits.nestedCalls else {
      throw Failure.tooDeep(hops.components[index].description, limit: Limits.nestedCalls)
    }
    var positions: (hooked: [Int], others: [Int]) = ([], [])
    for (position, element) in elements.enumerated() {
      guard let element else { continue }
      if try check(value, in: element, from: index, depth: depth + 1) {
        positions.hooked.append(position)
      } else {
        positions.others.append(position)
      }
    }
    return positions
  }

  /// Sets the rest of the path on every element, once it is known that each of them takes the value (KVC.10, KVC.14);
  /// first on those whose hooks may still refuse.
  private func setOnElements(_ value: Any?, of owner: Any, from index: Int, depth: Int) throws(KVError) -> Outcome {
    guard let collection = owner as? any CollectionValue else { return .inPlace }
    let elements = collection.elements
    let positions = try checkElements(value, elements, from: index, depth: depth)
    var changed = elements
    var copies = false
    for position in positions.hooked + positions.others {
      guard let element = elements[position] else { continue }
      if case .copy(let copy) = try set(value, in: element, from: index, depth: depth + 1) {
        changed[position] = copy
        copies = true
      }
    }
    guard copies else { return .inPlace }
    do throws(CoercionFailure) {
      return .copy(try type(of: collection).converting(changed, with: Coercion()))
    } catch {
      throw Failure.coercion(error, key: hops.components[index].description, of: type(of: owner))
    }
  }

  /// Sets an element of an ordered collection.
  private static func set(_ value: Any?, at index: Int, of owner: Any) throws(KVError) -> Outcome {
    if TypeInfo.of(owner).kind == .tuple { throw Failure.unsettableChild("\(index)", of: owner) }
    guard let collection = owner as? any OrderedValue else { throw Failure.notOrdered(index, owner) }
    guard index < collection.elementCount else {
      throw Failure.indexOutOfRange(index, count: collection.elementCount)
    }
    do throws(CoercionFailure) {
      return .copy(try collection.replacing(at: index, with: value))
    } catch {
      throw Failure.coercion(error, key: "[\(index)]", of: type(of: owner))
    }
  }
}
