/// Writes along key paths: walks to the last component, sets it, and sets each value on the path to its changed copy, up
/// to the nearest object.
struct Writer {
  let path: KVKeyPath.Storage
  /// Whether a nil on the path is an error (KVC.12).
  let throwsIfUnresolved: Bool
  /// The collections around the path.
  private let nesting: Nesting

  init(_ path: KVKeyPath.Storage, throwsIfUnresolved: Bool = true, nesting: Nesting = Nesting()) {
    self.path = path
    self.throwsIfUnresolved = throwsIfUnresolved
    self.nesting = nesting
  }

  /// Sets the value at the end of the path of an object; false if a nil ends the path, and that is no error.
  @inline(__always)
  func set(_ value: inout NewValue, of root: AnyObject) throws(KVError) -> Bool {
    var objects = ObjectCursor(path, path.count - 1, root, at: 0)
    guard objects.advance(), let leaf = objects.leaf, objects.with(leaf, { value.move(by: $0, to: $1) }) else {
      return try setThroughValues(objects, &value)
    }
    objects.end()
    return true
  }

  @inline(never)
  private func setThroughValues(_ objects: ObjectCursor, _ value: inout NewValue) throws(KVError) -> Bool {
    try PathCursor.walk(objects) { cursor throws(KVError) in try set(&value, &cursor, from: 0).isSet }
  }

  /// Sets the value at the end of the path of any root.
  ///
  /// - Returns: Whether the path leads to an owner of its last component, and the changed copy of the root, if it has one.
  func set(_ value: Any?, in root: Any, from start: Int = 0) throws(KVError) -> (isSet: Bool, copy: Any?) {
    guard let root = unwrappingOptionals(root) else { return (try isResolved(start, of: root), nil) }
    return try PathCursor.walk(path, path.count - 1, from: root, at: start, nesting: nesting) {
      cursor throws(KVError) in
      try NewValue.with(boxed: value) { value throws(KVError) in
        let (isSet, isCopied) = try set(&value, &cursor, from: start)
        return (isSet, isCopied ? cursor.owner : nil)
      }
    }
  }

  /// Sets the value at the end of the path of a struct in memory, which is changed there; false if a nil ends the path, and
  /// that is no error.
  func set(_ value: Any?, inStructAt address: Address, _ info: TypeInfo) throws(KVError) -> Bool {
    try PathCursor.walk(path, path.count - 1, fromStructAt: address, info, nesting: nesting) { cursor throws(KVError) in
      try NewValue.with(boxed: value) { value throws(KVError) in try set(&value, &cursor, from: 0).isSet }
    }
  }

  /// Sets the value at the end of the path; also returns whether the root of the cursor is a changed copy.
  private func set(
    _ value: inout NewValue, _ cursor: inout PathCursor, from start: Int
  ) throws(KVError) -> (isSet: Bool, isCopied: Bool) {
    guard try descend(&cursor, from: start) else { return (false, false) }
    let isMoved = cursor.move(&value, by: cursor.accessor)
    var isCopied = isMoved ? !cursor.isAtObject : try set(value.any, at: cursor.index, &cursor)
    while isCopied, let frame = cursor.frames.pop(from: start) {
      var copy = frame.pointee.newValue
      defer {
        copy.end()
        CursorFrames.end(frame)
      }
      let isMoved = cursor.move(&copy, by: frame.pointee.accessor)
      isCopied = isMoved ? !cursor.isAtObject : try set(copy.any, at: frame.pointee.index, &cursor)
    }
    return (true, isCopied)
  }

  /// Sets a component of the cursor's owner; returns whether that is a changed copy now.
  @inline(never)
  private func set(_ value: Any?, at index: Int, _ cursor: inout PathCursor) throws(KVError) -> Bool {
    let coercion = cursor.declaration?.coercion ?? Coercion()
    guard let copy = try set(value, at: index, in: cursor.owner, by: coercion) else { return false }
    cursor.frames.replaceTop(by: copy)
    return true
  }

  // MARK: The walk

  /// Walks to the owner of the last component, or to a collection whose elements take the rest of the path; false if a
  /// nil ends the path.
  @inline(__always)
  private func descend(_ cursor: inout PathCursor, from start: Int) throws(KVError) -> Bool {
    walk: while cursor.index < cursor.last {
      switch try cursor.next() {
      case .object, .value: continue
      case .end: return try isResolved(cursor.index, of: cursor.owner)
      case .collection: break walk
      case .operator:
        if cursor.resolver != nil { break walk }
        throw Failure.operatorInPath(path.components[cursor.index].description)
      }
    }
    // A resolver without owners throws its own error.
    if !throwsIfUnresolved, TypeInfo.hasResolvers, isWithoutOwners(cursor) { return false }
    if cursor.accessor == nil { try checkCollection(cursor, from: start) }
    return true
  }

  /// Returns whether an object that resolves the rest of the path has nothing to set it on, but may have later.
  @inline(never)
  private func isWithoutOwners(_ cursor: borrowing PathCursor) -> Bool {
    guard let resolver = cursor.resolver, resolver.pathOwners.isEmpty else { return false }
    return (try? resolver.checkSettable(KVKeyPath(storage: path), from: cursor.index)) != nil
  }

  /// Checks that a collection can be set to a changed copy, before objects in it change.
  private func checkCollection(_ cursor: borrowing PathCursor, from start: Int) throws(KVError) {
    guard let frame = cursor.frames.top, frame.pointee.index >= start else { return }
    let value = frame.pointee.value
    let info = TypeInfo.of(value)
    if info.isMapped || info.isForeignCollection {
      _ = try check(value, at: frame.pointee.index, in: cursor.frames.valueBelow ?? cursor.object)
    }
  }

  /// Checks that a value can be set, and changes nothing.
  ///
  /// - Returns: Whether a hook decides, so that setting can still fail.
  private func check(_ value: Any?, in root: Any, from start: Int) throws(KVError) -> Bool {
    guard let root = unwrappingOptionals(root) else { return try isResolved(start, of: root) }
    return try PathCursor.walk(path, path.count - 1, from: root, at: start, nesting: nesting) {
      cursor throws(KVError) in
      guard try descend(&cursor, from: start) else { return false }
      return try check(value, cursor, from: start)
    }
  }

  /// Returns false, or throws if a nil on the path is an error.
  private func isResolved(_ index: Int, of owner: Any) throws(KVError) -> Bool {
    guard throwsIfUnresolved else { return false }
    let component = path.components[index].description
    throw Failure.unresolved(component, value: "\"\(component)\"", of: owner)
  }

  // MARK: One component

  /// Sets a component of an owner; returns the changed copy of the owner, unless that is an object or only objects in it
  /// changed.
  ///
  /// An element or entry is converted by the coercion of its collection.
  private func set(
    _ value: Any?, at index: Int, in owner: Any, by coercion: Coercion
  ) throws(KVError) -> Any? {
    let info = TypeInfo.of(owner)
    if info.resolvesPaths, let resolver = owner as? any PathResolving {
      if !StackSpace.hasRoom() { throw resolver.noRoom(at: path.components[index].description) }
      try resolver.setValue(value, of: KVKeyPath(storage: path), from: index)
      return nil
    }
    try checkPolicy(at: index, of: owner, info)
    switch path.components[index] {
    case .key(let key) where info.mapsKey(key, of: owner), .entry(let key) where info.mapsKey(key, of: owner):
      return try setOnElements(value, of: owner, from: index)
    case .key(let key), .entry(let key):
      if case .key = path.components[index] { try Failure.checkNoOperator(key, of: owner) }
      if info.kind == .keyed { return try Self.setEntry(value, key, of: owner, by: coercion) }
      return try Self.set(value, forKey: key, of: owner, info)
    case .index(let number): return try Self.set(value, at: number, of: owner, info, by: coercion)
    case .operator: throw Failure.operatorInPath(path.components[index].description)
    }
  }

  /// Throws if the policy of the path does not permit setting a component; elements are asked one by one.
  private func checkPolicy(at index: Int, of owner: Any, _ info: TypeInfo) throws(KVError) {
    guard let policy = path.hops.pointee.policy else { return }
    switch path.components[index] {
    case .key(let key), .entry(let key): if info.mapsKey(key, of: owner) { return }
    case .index, .operator: break
    }
    try policy.check(path.components[index], at: index, of: owner, writing: true)
  }

  /// Checks the last component: an element or an entry in a copy of its collection, which is set as well.
  private func check(_ value: Any?, _ cursor: borrowing PathCursor, from start: Int) throws(KVError) -> Bool {
    let (index, owner) = (cursor.index, cursor.owner)
    let info = TypeInfo.of(owner)
    let coercion = cursor.declaration?.coercion ?? Coercion()
    switch path.components[index] {
    case .index(let number):
      try checkPolicy(at: index, of: owner, info)
      _ = try Self.set(value, at: number, of: owner, info, by: coercion)
    case .key(let key) where info.kind == .keyed, .entry(let key) where info.kind == .keyed:
      try checkPolicy(at: index, of: owner, info)
      _ = try Self.setEntry(value, key, of: owner, by: coercion)
      guard let frame = cursor.frames.top, frame.pointee.index >= start else { break }
      _ = try check(owner, at: frame.pointee.index, in: cursor.frames.valueBelow ?? cursor.object)
    default: return try check(value, at: index, in: owner)
    }
    return false
  }

  private func check(_ value: Any?, at index: Int, in owner: Any) throws(KVError) -> Bool {
    let info = TypeInfo.of(owner)
    try checkPolicy(at: index, of: owner, info)
    let key: String
    switch path.components[index] {
    case .key(let name), .entry(let name): key = name
    case .index, .operator: return false
    }
    guard info.mapsKey(key, of: owner) else { return try Self.check(value, forKey: key, of: owner, info) }
    guard let collection = collectionValue(owner) else { return false }
    try collection.checkCount()
    let isOrdered = type(of: collection).isOrdered
    return try !checkElements(value, collection.elements, isOrdered: isOrdered, from: index).hooked.isEmpty
  }

  /// Checks that each element takes the value; returns the positions of those whose hooks decide, and of the others.
  private func checkElements(
    _ value: Any?, _ elements: [Any?], isOrdered: Bool, from index: Int
  ) throws(KVError) -> (hooked: [Int], others: [Int]) {
    try Failure.checkNesting(nesting.depth, limit: Limits.nestedCalls, at: path.components[index].description)
    let limit = path.hops.pointee.policy?.elementLimit
    return try nesting.counting(elements.count, at: path.components[index].description, limit: limit) {
      nesting throws(KVError) in
      let inner = inner(nesting)
      var positions: (hooked: [Int], others: [Int]) = ([], [])
      for case (let position, let element?) in elements.enumerated() {
        let isHooked = try Self.locating(position, isOrdered) { () throws(KVError) in
          try inner.check(value, in: element, from: index)
        }
        if isHooked { positions.hooked.append(position) } else { positions.others.append(position) }
      }
      return positions
    }
  }

  /// Calls a function that accesses an element, which an error names.
  private static func locating<Result>(
    _ position: Int, _ isOrdered: Bool, _ body: () throws(KVError) -> Result
  ) throws(KVError) -> Result {
    do throws(KVError) { return try body() } catch { throw error.ofElement(position, isOrdered: isOrdered) }
  }

  /// The writer for the elements of a collection on the path.
  private func inner(_ nesting: Nesting) -> Writer {
    Writer(path, throwsIfUnresolved: throwsIfUnresolved, nesting: nesting.inner)
  }

  /// Sets the rest of the path on every element, once it is known that each of them takes the value (KVC.10, KVC.14);
  /// first on those whose hooks may still refuse.
  func setOnElements(_ value: Any?, of owner: Any, from index: Int) throws(KVError) -> Any? {
    guard let collection = collectionValue(owner) else { return nil }
    try collection.checkCount()
    var elements = collection.elements
    let isOrdered = type(of: collection).isOrdered
    let positions = try checkElements(value, elements, isOrdered: isOrdered, from: index)
    let inner = inner(nesting)
    var isCopied = false
    try WriteGroup.perform { () throws(KVError) in
      for position in positions.hooked + positions.others {
        guard let element = elements[position] else { continue }
        let result = try Self.locating(position, isOrdered) { () throws(KVError) in
          try inner.set(value, in: element, from: index)
        }
        guard let copy = result.copy else { continue }
        elements[position] = copy
        isCopied = true
      }
    }
    guard isCopied else { return nil }
    return try Failure.converting(for: path.components[index].description, of: type(of: owner)) {
      () throws(CoercionFailure) -> Any? in try type(of: collection).converting(elements, with: Coercion())
    }
  }

  /// Returns a copy of an ordered collection with another element.
  static func set(
    _ value: Any?, at index: Int, of owner: Any, _ info: TypeInfo, by coercion: Coercion
  ) throws(KVError) -> Any? {
    if info.kind == .tuple { throw Failure.unsettableChild("\(index)", of: owner) }
    let collection = try Reader.ordered(owner, at: index)
    return try Failure.converting(for: "[\(index)]", of: info.type) { () throws(CoercionFailure) -> Any? in
      try collection.replacing(at: index, with: value, by: coercion)
    }
  }
}
