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

  /// The boxed values on the way, which changed copies are written back to.
  private struct Trail {
    var owners: [(owner: Any, index: Int)] = []
    /// The component whose value was put into a box, of the struct or object that all of them are in.
    var base: Int?
  }

  init(_ path: KVKeyPath, throwsIfUnresolved: Bool = true) {
    self.init(path.storage, throwsIfUnresolved: throwsIfUnresolved)
  }

  init(_ hops: KVKeyPath.Storage, throwsIfUnresolved: Bool = true) {
    self.hops = hops
    self.throwsIfUnresolved = throwsIfUnresolved
  }

  /// Sets the value at the end of the path of any root.
  func set(_ value: Any?, in root: Any, from start: Int = 0, depth: Int = 0) throws(KVError) -> Outcome {
    guard let root = unwrappingOptionals(root) else { return try unresolved(start, of: root) }
    return try PathCursor.walk(hops, hops.count - 1, from: root, at: start) { cursor throws(KVError) in
      try NewValue.with(value) { value throws(KVError) in try set(&value, &cursor, depth: depth) }
    }
  }

  /// Sets the value at the end of the path of an object; false if a nil stood in the way, and that was to be ignored.
  @inline(__always)
  func set(_ value: inout NewValue, of root: AnyObject) throws(KVError) -> Bool {
    try set(of: root, { accessor, object in value.move(by: .passUnretained(accessor), to: object) }) {
      objects throws(KVError) in try setOn(&value, objects)
    }
  }

  /// Sets the value at the end of the path of an object to one in a box, or nil.
  @inline(__always)
  func set(boxed value: Any?, of root: AnyObject) throws(KVError) -> Bool {
    try set(of: root, { accessor, object in value.map { accessor.assignInSilence($0, to: object) } ?? false }) {
      objects throws(KVError) in
      try NewValue.with(value) { value throws(KVError) in try setOn(&value, objects) }
    }
  }

  /// Walks over objects, and lets one function set the value where that comes to the end, and another one go on where
  /// not.
  @inline(__always)
  private func set(
    of root: AnyObject, _ set: (Accessor, AnyObject) -> Bool,
    _ goOn: (ObjectCursor) throws(KVError) -> Bool
  ) throws(KVError) -> Bool {
    var objects = ObjectCursor(hops, hops.count - 1, root, at: 0)
    guard objects.advance() else {
      defer { objects.end() }
      return try isResolved(objects.index, of: objects.object)
    }
    guard let leaf = objects.leaf, objects.with(leaf, set) else { return try goOn(objects) }
    objects.end()
    return true
  }

  /// Sets the value at the end of a path that does not only lead over objects, or that somebody has to be told of.
  @inline(never)
  private func setOn(_ value: inout NewValue, _ objects: ObjectCursor) throws(KVError) -> Bool {
    try PathCursor.walk(objects) { cursor throws(KVError) in
      if case .unresolved = try set(&value, &cursor, depth: 0) { false } else { true }
    }
  }

  private func set(_ value: inout NewValue, _ cursor: inout PathCursor, depth: Int) throws(KVError) -> Outcome {
    var trail = Trail()
    guard try descend(&cursor, &trail, depth: depth) else { return .unresolved }
    if cursor.isAtObject {
      if let accessor = cursor.accessor, value.move(by: accessor, to: cursor.object) { return .inPlace }
      return try set(value.any, at: cursor.index, in: cursor.object, depth: depth)
    }
    guard let boxed = cursor.boxed else {
      try setInMemory(&value, at: cursor.index, &cursor)
      return try writeBack(&cursor, from: cursor.index)
    }
    var outcome = try set(value.any, at: cursor.index, in: boxed, depth: depth)
    while case .copy(let changed) = outcome, let (owner, index) = trail.owners.popLast() {
      outcome = try set(changed, at: index, in: owner, depth: depth)
    }
    guard case .copy(let changed) = outcome, let base = trail.base else { return outcome }
    if cursor.frames.top == nil { return try set(changed, at: base, in: cursor.object, depth: depth) }
    try NewValue.with(changed) { copy throws(KVError) in try setInMemory(&copy, at: base, &cursor) }
    return try writeBack(&cursor, from: base)
  }

  /// Checks that a value could be set, and changes nothing.
  ///
  /// - Returns: Whether a hook has to answer, so that setting may still fail.
  private func check(_ value: Any?, in root: Any, from start: Int, depth: Int) throws(KVError) -> Bool {
    guard let root = unwrappingOptionals(root) else {
      _ = try unresolved(start, of: root)
      return false
    }
    return try PathCursor.walk(hops, hops.count - 1, from: root, at: start) { cursor throws(KVError) in
      var trail = Trail()
      guard try descend(&cursor, &trail, depth: depth) else { return false }
      return try check(value, at: cursor.index, in: cursor.owner, depth: depth)
    }
  }

  // MARK: The way down

  /// Walks to the container of the last component, or to a collection whose elements take the rest of the path; false
  /// if a nil stands in the way.
  @inline(__always)
  private func descend(_ cursor: inout PathCursor, _ trail: inout Trail, depth: Int) throws(KVError) -> Bool {
    while cursor.index < cursor.last, cursor.accessor != nil {
      let index = cursor.index
      switch try cursor.next() {
      case .object: break
      case .value: if cursor.isBoxed { trail.base = index }
      default: return try isResolved(index, of: cursor.owner)
      }
    }
    if cursor.index == cursor.last, !cursor.isBoxed { return true }
    return try descendSlowly(&cursor, &trail, depth: depth)
  }

  @inline(never)
  private func descendSlowly(_ cursor: inout PathCursor, _ trail: inout Trail, depth: Int) throws(KVError) -> Bool {
    walk: while cursor.index < cursor.last {
      let index = cursor.index
      if try cursor.skipsItself() { continue }
      let owner = cursor.boxed
      switch try cursor.next() {
      case .object: trail = Trail()
      case .value:
        guard cursor.isBoxed else { break }
        if let owner { trail.owners.append((owner, index)) } else { trail.base = index }
      case .end: return try isResolved(index, of: cursor.owner)
      case .collection: break walk
      case .operator: throw operatorInPath(index)
      }
    }
    if let boxed = cursor.boxed { try checkContainer(boxed, trail, cursor.unboxedOwner, depth: depth) }
    return true
  }

  /// Checks that a collection could be written back, before objects in it change.
  private func checkContainer(_ value: Any, _ trail: Trail, _ base: Any, depth: Int) throws(KVError) {
    let info = TypeInfo.of(value)
    guard info.kind == .ordered || info.kind == .unordered else { return }
    if let (owner, index) = trail.owners.last {
      _ = try check(value, at: index, in: owner, depth: depth)
    } else if let index = trail.base {
      _ = try check(value, at: index, in: base, depth: depth)
    }
  }

  private func isResolved(_ index: Int, of owner: Any) throws(KVError) -> Bool {
    _ = try unresolved(index, of: owner)
    return false
  }

  private func unresolved(_ index: Int, of owner: Any) throws(KVError) -> Outcome {
    guard throwsIfUnresolved else { return .unresolved }
    let component = hops.components[index].description
    throw Failure.unresolved(component, value: "\"\(component)\"", of: owner)
  }

  func operatorInPath(_ index: Int) -> KVError {
    let component = hops.components[index].description
    return KVError(
      .notSettable,
      "\(component) computes a value, which cannot be written; only keys, indexes and entries can.",
      component: component)
  }

  // MARK: The end of the path

  func set(_ value: Any?, at index: Int, in owner: Any, depth: Int) throws(KVError) -> Outcome {
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

  /// Checks that each element takes the value; returns the places of those whose hooks have to answer, and of the
  /// others.
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
