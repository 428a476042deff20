/// A position on a key path: a component, and its owner.
///
/// Reading, writing, validating and observing all walk a path with a cursor (Docs/Decisions/0013). The owner of the
/// component is an object, or a value in memory (``CursorFrames``). Each hop of a path caches the accessor that it found
/// last, so that nothing is looked up while the types stay the same.
package struct PathCursor: ~Copyable {
  /// The result of ``next()``.
  package enum Step {
    /// The owner of the next component is an object.
    case object
    /// The owner of the next component is a value.
    case value
    /// The component is nil; the cursor stays.
    case end
    /// The component is a key of the elements of an array or set; the cursor stays.
    case collection
    /// The component is an operator, or the owner resolves the rest of the path; the cursor stays.
    case `operator`
  }

  /// The position among objects.
  var objects: ObjectCursor
  /// The collections and operators around the walk.
  let nesting: Nesting
  /// The values behind the object.
  var frames: CursorFrames

  // MARK: Beginning

  /// Calls a function with a cursor at a component whose owner is an object, and returns its result.
  ///
  /// It is not generic, since KVBinding calls it, and no specialization crosses modules.
  package static func walk(
    _ path: KVKeyPath, from object: AnyObject, at start: Int, _ body: (inout PathCursor) throws(KVError) -> Bool
  ) throws(KVError) -> Bool {
    try walk(ObjectCursor(path.storage, path.count - 1, object, at: start), body)
  }

  /// Calls a function with a cursor at a component whose owner is any value.
  static func walk<Result>(
    _ path: KVKeyPath.Storage, _ last: Int, from value: Any, at start: Int, nesting: Nesting,
    _ body: (inout PathCursor) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    let nowhere = ObjectCursor(path, last, noObject, at: last + 1)
    return try walk(nowhere, nesting: nesting) { cursor throws(KVError) in
      cursor.objects.index = start - 1
      _ = cursor.enter(value)
      return try body(&cursor)
    }
  }

  /// Calls a function with a cursor at a component whose owner is a struct in memory, which stays there.
  @inline(__always)
  static func walk<Result>(
    _ path: KVKeyPath.Storage, _ last: Int, fromStructAt address: Address, _ info: TypeInfo, at start: Int = 0,
    nesting: Nesting = Nesting(), _ body: (inout PathCursor) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    let nowhere = ObjectCursor(path, last, noObject, at: last + 1)
    return try walk(nowhere, nesting: nesting) { cursor throws(KVError) in
      cursor.frames.push(borrowed: address, info.boxer, at: start - 1)
      cursor.objects.index = start
      cursor.objects.found = start <= last ? cursor.hops[start].accessor(in: info) : nil
      return try body(&cursor)
    }
  }

  /// Calls a function with a cursor that continues an object cursor, and ends that one.
  @inline(__always)
  static func walk<Result>(
    _ objects: ObjectCursor, nesting: Nesting = Nesting(), _ body: (inout PathCursor) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    try withMemory(size: CursorFrames.scratchSize, alignmentMask: 15) { scratch throws(KVError) in
      var cursor = PathCursor(objects: objects, nesting: nesting, frames: CursorFrames(scratch))
      defer {
        cursor.frames.removeAll()
        cursor.objects.end()
      }
      return try body(&cursor)
    }
  }

  @inline(__always)
  private init(objects: ObjectCursor, nesting: Nesting, frames: CursorFrames) {
    self.objects = objects
    self.nesting = nesting
    self.frames = frames
  }

  // MARK: The owner

  /// The index of the component that ``next()`` walks.
  @inline(__always)
  package var index: Int { objects.index }

  /// The index of the last component to walk.
  @inline(__always)
  var last: Int { objects.last }

  @inline(__always)
  var hops: AddressOf<KVKeyPath.Hop> { objects.hops }

  /// The nearest object on the path.
  @inline(__always)
  package var object: AnyObject { objects.object }

  /// Whether the owner of the component is the object.
  @inline(__always)
  package var isAtObject: Bool { frames.top == nil }

  /// The accessor of the component, if a table lists it.
  @inline(__always)
  var accessor: _KVReference<Accessor>? { objects.found }

  /// The accessor of the component, if a table lists it and its owner is an object.
  @inline(__always)
  package var objectAccessor: Accessor? { isAtObject ? accessor?.object : nil }

  /// Whether the owner is a value whose table lists the component, which cannot be observed.
  package var isInStruct: Bool { !isAtObject && accessor != nil }

  /// The component.
  package var component: KVKeyPath.Component { hops[index].component }

  /// The index of the last subscript behind the component, or that of the component.
  var endOfSubscripts: Int {
    var end = index
    while end < last, hops[end + 1].isSubscript { end += 1 }
    return end
  }

  /// Whether an operator follows the component.
  @inline(__always)
  var isFollowedByOperator: Bool { index < last && hops[index + 1].isOperator }

  /// The line of the table that lists the component; for an element or an entry that of its collection.
  var declaration: KeyDeclaration? {
    if let accessor { return accessor.object.declaration }
    guard index <= last, let frame = frames.top else { return nil }
    switch component {
    case .key where TypeInfo.of(owner).kind != .keyed: return nil
    case .operator: return nil
    case .key, .entry, .index: return frame.pointee.accessor?.object.declaration
    }
  }

  /// The owner of the component, or the value at the end of the path.
  package var owner: Any { frames.top?.pointee.value ?? object }

  // MARK: Walking

  /// Advances to the value of the component.
  ///
  /// - Throws: ``KVError`` if the value cannot be read.
  @inline(__always)
  package mutating func next() throws(KVError) -> Step {
    guard let accessor else { return try nextUnlisted() }
    if objects.leadsToObject {
      guard let next = objects.readReference(frames.address) else { return .end }
      enter(retained: next)
      return .object
    }
    guard index < last, let follower = hops[index + 1].accessor(ofStructsBy: accessor) else {
      return nextBoxed(accessor)
    }
    let isRead = objects.reference.borrow { frames.push(reading: accessor, from: $0, at: index) }
    guard isRead else { return .end }
    objects.index += 1
    objects.found = follower
    return .value
  }

  @inline(never)
  private mutating func nextBoxed(_ accessor: _KVReference<Accessor>) -> Step {
    if accessor.borrow({ $0.declaration.counted != nil }), let counted = counted(accessor) {
      return enter(counted)
    }
    return enter(readAny(accessor), by: accessor)
  }

  /// Returns the collection of the component without reading it, if the next component needs only its count or an
  /// element.
  private func counted(_ accessor: _KVReference<Accessor>) -> CountedCollection? {
    guard index < last else { return nil }
    switch hops[index + 1].component {
    case .index: break
    case .operator("count", nil), .operator("firstObject", nil), .operator("lastObject", nil): break
    default: return nil
    }
    return accessor.object.counted(owner)
  }

  /// Advances if no table lists the component.
  @inline(never)
  private mutating func nextUnlisted() throws(KVError) -> Step {
    if resolver != nil { return .operator }
    if hops[index].isOperator { return .operator }
    if hops[index].isKey {
      let owner = owner
      if hops[index].key == "self", try Reader.isItself(owner, hops[index].policy) {
        objects.index += 1
        find(in: owner)
        return isAtObject ? .object : .value
      }
      let info = TypeInfo.of(owner)
      if info.isMapped || info.isForeignCollection && info.mapsKey(hops[index].key, of: owner) { return .collection }
    } else if case .entry(let key) = component, case let owner = owner, TypeInfo.of(owner).mapsKey(key, of: owner) {
      return .collection
    }
    return enter(try read())
  }

  /// Advances to an object.
  @inline(__always)
  mutating func enter(retained object: _KVReference<AnyObject>) {
    if !isAtObject { frames.removeAll() }
    objects.enter(retained: object)
  }

  /// Advances to a value in a box.
  mutating func enter(_ value: Any?, by accessor: _KVReference<Accessor>? = nil) -> Step {
    guard let value else { return .end }
    let info = TypeInfo.of(value)
    if info.isObject {
      enter(retained: .retaining(KVCore.object(in: value)))
      return .object
    }
    frames.push(value, info.boxer, readBy: accessor, at: index)
    objects.index += 1
    objects.found = index <= last ? hops[index].accessor(in: info) : nil
    return .value
  }

  /// Finds the accessor of the component, whose owner is given.
  private mutating func find(in owner: Any) {
    objects.found = index <= last ? hops[index].accessor(in: TypeInfo.of(owner)) : nil
  }

  // MARK: Writing

  /// Sets a component of the owner by its accessor; false if there is none, or the value has to be converted or logged.
  @inline(__always)
  func move(_ value: inout NewValue, by accessor: _KVReference<Accessor>?) -> Bool {
    guard let accessor else { return false }
    return objects.with(accessor) { accessor, object in
      isAtObject ? value.move(by: accessor, to: object) : value.move(by: accessor, to: object, frames.address)
    }
  }

  // MARK: Reading

  /// Returns the value of the component: of the owner, of all elements of a collection, or of an operator.
  @inline(__always)
  mutating func read() throws(KVError) -> Any? {
    if let accessor { return readAny(accessor) }
    return try readUnlisted()
  }

  @inline(__always)
  private func readAny(_ accessor: _KVReference<Accessor>) -> Any? {
    objects.with(accessor) { accessor, object in accessor.readAny(object, frames.address) }
  }

  @inline(never)
  private mutating func readUnlisted() throws(KVError) -> Any? {
    if let resolver {
      // It recurses, and a path may lead through as many as it has components.
      if !StackSpace.hasRoom() { throw resolver.noRoom(at: component.description) }
      let index = index
      objects.index = last
      return try resolver.value(of: KVKeyPath(storage: objects.path.object), from: index, to: last)
    }
    switch hops[index].component {
    case .key(let key):
      let owner = owner
      let info = TypeInfo.of(owner)
      if index < last, hops[index + 1].isSubscript, key != "self", info.mapsKey(key, of: owner) {
        return try readFromElements(owner)
      }
      return try Reader.unlisted(key, of: owner, info, hop: hops + index, nesting: nesting)
    case .index(let number):
      let owner = owner
      try hops[index].policy?.checkElement(number, of: owner)
      return try Reader.element(number, of: owner)
    case .entry(let key):
      let owner = owner
      if TypeInfo.of(owner).mapsKey(key, of: owner) { return try readFromElements(owner) }
      try hops[index].policy?.check(key, of: owner)
      return try Reader.value(ofEntry: key, in: owner)
    case .operator(let name, let argument):
      let reader = Reader(objects.path.object, last + 1, nesting: nesting.inner)
      let call = OperatorCall(
        name: name, argument: argument, builtIn: hops[index].builtIn, reader: reader, next: index + 1, collection: nil)
      switch try call.evaluate(on: owner) {
      case .complete(let value):
        objects.index = last
        return value
      case .continuing(let value): return value
      }
    }
  }

  /// Reads the component and the subscripts behind it from each element of the owner (KVC.5), and advances to the last of them.
  private mutating func readFromElements(_ owner: Any) throws(KVError) -> Any? {
    let start = index
    objects.index = endOfSubscripts
    // The line of the collection converts its elements, and not what is read of them.
    frames.top?.pointee.accessor = nil
    return try Reader(objects.path.object, index + 1, nesting: nesting).mapped(over: owner, from: start)
  }
}
