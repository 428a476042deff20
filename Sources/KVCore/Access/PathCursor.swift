/// A position on a key path: a component, and its owner.
///
/// Reading, writing, validating and observing all walk a path with a cursor (Docs/Decisions/0013). The owner of the
/// component is an object, a struct in memory, or any value in an `Any`. A struct that a table describes is copied to
/// memory (``CursorFrames``); other values are boxed. Each hop of a path caches the accessor that it found last, so
/// that nothing is looked up while the types stay the same.
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
    /// The component is an operator; the cursor stays.
    case `operator`
  }

  /// The position among objects.
  private var objects: ObjectCursor
  /// The depth of collections and operators around the walk.
  let depth: Int
  /// The structs behind the object, and the owner in a box.
  var frames: CursorFrames
  /// The topmost struct.
  private(set) var address = noAddress
  /// Whether there was an object.
  private(set) var hasObject: Bool

  // MARK: Beginning

  /// Calls a function with a cursor at a component whose owner is an object, and returns its result.
  ///
  /// It is not generic, since KVBinding calls it, and no specialization crosses modules.
  package static func walk(
    _ path: KVKeyPath, from object: AnyObject, at start: Int, _ body: (inout PathCursor) throws(KVError) -> Bool
  ) throws(KVError) -> Bool {
    try walk(ObjectCursor(path.storage, path.count - 1, object, at: start), body)
  }

  /// Calls a function with a cursor that continues an object cursor, and ends that one.
  @inline(__always)
  static func walk<Result>(
    _ objects: ObjectCursor, _ body: (inout PathCursor) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    try withUnsafeTemporaryAllocation(byteCount: CursorFrames.scratchSize, alignment: 16) {
      scratch throws(KVError) in
      var cursor = PathCursor(objects, CursorFrames(scratch), hasObject: true)
      defer { cursor.end() }
      return try body(&cursor)
    }
  }

  /// Calls a function with a cursor at a component whose owner is any value.
  static func walk<Result>(
    _ path: KVKeyPath.Storage, _ last: Int, from value: Any, at start: Int = 0, depth: Int = 0,
    _ body: (inout PathCursor) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    try withUnsafeTemporaryAllocation(byteCount: CursorFrames.scratchSize, alignment: 16) {
      scratch throws(KVError) in
      let nowhere = ObjectCursor(path, last, noObject, at: last + 1)
      var cursor = PathCursor(nowhere, CursorFrames(scratch), depth: depth, hasObject: false)
      defer { cursor.end() }
      cursor.objects.index = start - 1
      _ = cursor.enter(value)
      return try body(&cursor)
    }
  }

  @inline(__always)
  private init(_ objects: ObjectCursor, _ frames: CursorFrames, depth: Int = 0, hasObject: Bool) {
    self.objects = objects
    self.frames = frames
    self.depth = depth
    self.hasObject = hasObject
  }

  @inline(__always)
  private mutating func end() {
    if frames.top != nil { frames.removeAll() }
    frames.removeBox()
    objects.end()
  }

  // MARK: The owner

  /// The index of the component that ``next()`` walks.
  @inline(__always)
  package var index: Int { objects.index }

  /// The index of the last component to walk.
  @inline(__always)
  var last: Int { objects.last }

  @inline(__always)
  var path: KVKeyPath.Storage { objects.path.takeUnretainedValue() }

  @inline(__always)
  private var hops: UnsafeMutablePointer<KVKeyPath.Hop> { objects.hops }

  /// The nearest object on the path.
  @inline(__always)
  package var object: AnyObject { objects.object }

  /// Whether the owner of the component is the object.
  @inline(__always)
  package var isAtObject: Bool { frames.top == nil && !isBoxed }

  /// The accessor of the component if the owner is an object or a struct in memory.
  @inline(__always)
  var accessor: Unmanaged<Accessor>? { isBoxed ? nil : objects.found }

  /// The accessor of a component of the topmost struct.
  func accessorInMemory(at index: Int) -> Unmanaged<Accessor>? {
    frames.top.flatMap { hops[index].accessor(ofStructsBy: $0.pointee.accessor) }
  }

  /// The accessor of the component, if a table lists it and its owner is an object.
  @inline(__always)
  package var objectAccessor: Accessor? { isAtObject ? objects.found?.takeUnretainedValue() : nil }

  /// The component.
  package var component: KVKeyPath.Component { hops[index].component }

  /// Whether an operator follows the component.
  @inline(__always)
  var isFollowedByOperator: Bool { index < last && hops[index + 1].isOperator }

  /// The owner of the component, or the value at the end of the path.
  package var owner: Any { boxed ?? unboxedOwner }

  /// The owner of the component if it is neither the object nor the topmost struct.
  var boxed: Any? { frames.boxed }

  /// Whether the owner is in a box.
  @inline(__always)
  var isBoxed: Bool { frames.hasBox }

  /// The topmost struct, or the object.
  var unboxedOwner: Any { frames.topValue ?? object }

  /// Returns the value of the component by its accessor.
  @inline(__always)
  func readAny(_ accessor: Unmanaged<Accessor>) -> Any? {
    objects.with(accessor) { accessor, object in accessor.readAny(object, address) }
  }

  /// Moves the value of the component into memory by its accessor.
  @inline(__always)
  func read(_ accessor: Unmanaged<Accessor>, into memory: UnsafeMutableRawPointer) {
    objects.with(accessor) { accessor, object in accessor.read(object, address, memory) }
  }

  // MARK: Walking

  /// Advances to the value of the component.
  ///
  /// - Throws: ``KVError`` if the value cannot be read.
  @inline(__always)
  package mutating func next() throws(KVError) -> Step {
    guard !isBoxed, let found = objects.found else { return try nextUnlisted() }
    if objects.leadsToObject {
      guard let next = objects.readReference(address) else { return .end }
      enter(retained: next)
      return .object
    }
    if index < last, let follower = hops[index + 1].accessor(ofStructsBy: found) {
      guard
        let next = objects.reference._withUnsafeGuaranteedRef({ frames.push(reading: found, from: $0, address) })
      else { return .end }
      objects.index += 1
      objects.found = follower
      address = next
      return .value
    }
    return nextBoxed(found)
  }

  @inline(never)
  private mutating func nextBoxed(_ accessor: Unmanaged<Accessor>) -> Step {
    guard let value = readAny(accessor) else { return .end }
    return enter(value)
  }

  /// Advances if no table lists the component, or the owner is in a box.
  @inline(never)
  private mutating func nextUnlisted() throws(KVError) -> Step {
    let value: Any?
    switch hops[index].component {
    case .operator: return .operator
    case .index(let number): value = try Reader.element(number, of: owner)
    case .entry(let key): value = try Reader.value(ofEntry: key, in: owner)
    case .key(let key):
      let owner = owner
      if let found = objects.found {
        value = withOwner(in: owner, isObject: false) { owner in
          found._withUnsafeGuaranteedRef { $0.readAny(owner) }
        }
        break
      }
      let info = TypeInfo.of(owner)
      if key == "self", try Reader.isItself(owner) { return skip() }
      switch info.kind {
      case .ordered, .unordered: return .collection
      case .keyed: value = (owner as? any KeyedValue)?.entry(key)
      case .optional: value = try Reader.value(ofKey: key, in: owner)
      default: value = try Reader.unlisted(key, of: owner, info)
      }
    }
    guard let value else { return .end }
    return enter(value)
  }

  /// Skips a component that is the owner itself.
  private mutating func skip() -> Step {
    if let boxed { return enter(boxed) }
    objects.index += 1
    objects.find()
    return .object
  }

  /// Skips the component if it is the key `self` of an owner without a key of that name (KVC.1).
  mutating func skipsItself() throws(KVError) -> Bool {
    guard objects.found == nil, case .key("self") = hops[index].component, try Reader.isItself(owner) else {
      return false
    }
    _ = skip()
    return true
  }

  /// Advances over a key of elements, or over an operator and its operand; false if the result is nil.
  @inline(never)
  mutating func compute() throws(KVError) -> Bool {
    switch hops[index].component {
    case .key(let key): return proceed(to: try Reader.mapped(key, over: owner, hop: hops + index, depth: depth))
    case .operator(let name, let argument):
      let reader = Reader(path, last + 1, depth: depth + 1)
      let call = OperatorCall(name: name, argument: argument, reader: reader, next: index + 1)
      switch try call.evaluate(on: owner) {
      case .complete(let value): return finish(with: value)
      case .continuing(let value): return proceed(to: value)
      }
    case .index, .entry: return false
    }
  }

  /// Advances to a value that was computed for the component; false if it is nil.
  private mutating func proceed(to value: Any?) -> Bool {
    guard let value else { return false }
    _ = enter(value)
    return true
  }

  /// Advances to the end with a value that was computed for the rest of the path; false if it is nil.
  private mutating func finish(with value: Any?) -> Bool {
    objects.index = last
    return proceed(to: value)
  }

  /// Advances to an object.
  @inline(__always)
  private mutating func enter(retained object: Unmanaged<AnyObject>) {
    if frames.top != nil {
      frames.removeAll()
      address = noAddress
    }
    objects.enter(retained: object)
  }

  /// Advances to a boxed value, or to the object in the box.
  private mutating func enter(_ value: Any) -> Step {
    if type(of: value) is AnyClass {
      let object = Unmanaged.passRetained(KVCore.object(in: value))
      hasObject = true
      frames.removeBox()
      enter(retained: object)
      return .object
    }
    objects.index += 1
    frames.setBox(value)
    objects.found = index <= last ? hops[index].accessor(ofValue: value) : nil
    return .value
  }
}
