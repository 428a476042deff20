/// A position on a key path as long as that leads from object to object: the part of a ``PathCursor`` that needs no
/// memory.
struct ObjectCursor {
  /// Kept by whoever walks.
  let path: _KVReference<KVKeyPath.Storage>
  let hops: AddressOf<KVKeyPath.Hop>
  /// The index of the last component to walk.
  let last: Int
  /// The index of the component that is walked next.
  var index: Int
  /// The accessor of that component; nil where no table lists it.
  var found: _KVReference<Accessor>?
  /// The nearest object on the way; something else where there was none.
  private(set) var reference: _KVReference<AnyObject>
  /// Whether the cursor keeps the object alive; the root is kept by whoever walks.
  private var isRetained = false

  /// Begins at a component of an object.
  @inline(__always)
  init(_ path: KVKeyPath.Storage, _ last: Int, _ object: AnyObject, at index: Int) {
    self.path = _KVReference(path)
    hops = path.hops
    self.last = last
    self.index = index
    reference = _KVReference(object)
    find()
  }

  /// The object.
  @inline(__always)
  var object: AnyObject { reference.object }

  /// The accessor of the last component, if the cursor has come there.
  @inline(__always)
  var leaf: _KVReference<Accessor>? { index == last ? found : nil }

  /// Calls a function with the object and the accessor of the component, without counting references.
  @inline(__always)
  func with<Result>(_ accessor: _KVReference<Accessor>, _ body: (Accessor, AnyObject) -> Result) -> Result {
    accessor.borrow { accessor in reference.borrow { body(accessor, $0) } }
  }

  /// Whether the component holds an object, as its table says.
  @inline(__always)
  var leadsToObject: Bool { found?.borrow { $0.flags.contains(.isObjectReference) } ?? false }

  /// Goes on over objects as far as tables lead to them; false if a nil ends the way.
  @inline(__always)
  mutating func advance() -> Bool {
    while index < last, leadsToObject {
      guard let next = readReference(noAddress) else { return false }
      enter(retained: next)
    }
    return true
  }

  /// The number of elements of an array that the component holds, if `@count` ends the path there.
  ///
  /// The array is neither boxed nor kept. A line that counts the elements itself has no array to read.
  @inline(__always)
  var elementCount: Int? {
    guard index + 1 == last, hops[last].isCount, !OperatorCall.isBuiltInReplaced else { return nil }
    return found?.borrow { accessor in
      guard let array = accessor.value.ordered, accessor.declaration.counted == nil else { return nil }
      return reference.borrow { array.elementCount(by: accessor, of: $0) }
    }
  }

  /// Returns the object that the component holds, retained, of the object or of a struct at an address.
  @inline(__always)
  func readReference(_ address: Address) -> _KVReference<AnyObject>? {
    found?.borrow { accessor in
      reference.borrow { accessor.readRetained($0, address) }
    }
  }

  /// Goes on to an object, which the cursor keeps alive from then on.
  @inline(__always)
  mutating func enter(retained object: _KVReference<AnyObject>) {
    index += 1
    if isRetained { reference.release() }
    (reference, isRetained) = (object, true)
    find()
  }

  /// Goes on with another owner of the component, which the cursor keeps alive from then on.
  mutating func replaceOwner(by owner: AnyObject) {
    index -= 1
    enter(retained: .retaining(owner))
  }

  /// Finds the accessor of the component.
  @inline(__always)
  mutating func find() {
    found = index <= last ? reference.borrow { hops[index].accessor(of: $0) } : nil
  }

  /// Lets go of the object.
  @inline(__always)
  func end() { if isRetained { reference.release() } }
}
