import Synchronization

/// A reference to an object that is not counted: whoever makes it guarantees that the object outlives its uses.
///
/// It is not API.
///
/// Accessors, keys and cached paths are never released, so that references to them stay valid. All others are to objects
/// that an owner of the code in which they occur retains: an object its registrar, a thread its context, a walk its
/// path. A reference that is counted by hand (``retaining(_:)``) belongs to one owner, which releases it once.
#if compiler(>=6.2)
  @safe
#endif
@frozen public struct _KVReference<Object: AnyObject> {
  @usableFromInline let unmanaged: Unmanaged<Object>

  @usableFromInline @_transparent
  init(_ unmanaged: Unmanaged<Object>) { self.unmanaged = unmanaged }

  /// A reference to an object that somebody else retains.
  @usableFromInline @_transparent
  package init(_ object: Object) { unmanaged = .passUnretained(object) }

  /// Returns a reference to an object which is retained until ``release()``.
  @usableFromInline @_transparent
  package static func retaining(_ object: Object) -> _KVReference { _KVReference(.passRetained(object)) }

  /// Releases the object.
  @usableFromInline @_transparent
  package func release() { unmanaged.release() }

  /// The object, counted as usual.
  @usableFromInline @_transparent
  package var object: Object { unmanaged.takeUnretainedValue() }

  /// Returns the object, whose count the reference gives up.
  @usableFromInline @_transparent
  package func takeObject() -> Object { unmanaged.takeRetainedValue() }

  /// Calls a function with the object without counting a reference.
  @usableFromInline @_transparent
  package func borrow<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unmanaged._withUnsafeGuaranteedRef(body)
  }

  /// Calls a function that throws a `KVError` with the object without counting a reference.
  @inlinable @inline(__always)
  package func tryBorrow<Result>(_ body: (Object) throws(KVError) -> Result) throws(KVError) -> Result {
    var failure: KVError?
    let result = unmanaged._withUnsafeGuaranteedRef { object -> Result? in
      do throws(KVError) { return try body(object) } catch {
        failure = error
        return nil
      }
    }
    if let result { return result }
    throw failure.unsafelyUnwrapped
  }

  /// Returns the reference as one of another class, which the object is of.
  @usableFromInline @_transparent
  package func typed<Other>(as type: Other.Type) -> _KVReference<Other> {
    _KVReference<Other>(.fromOpaque(unmanaged.toOpaque()))
  }

  /// The address of the object, which is a number of its own while the object lives.
  @usableFromInline @_transparent
  package var identity: UInt { UInt(bitPattern: unmanaged.toOpaque()) }

  /// A reference to the living object of an identity; nil for zero.
  @usableFromInline @_transparent
  init?(identity: UInt) {
    guard let pointer = UnsafeRawPointer(bitPattern: identity) else { return nil }
    unmanaged = .fromOpaque(pointer)
  }
}

extension _KVReference: Sendable where Object: Sendable {}

extension _KVReference: AtomicRepresentable, AtomicOptionalRepresentable {
  /// The bits of a reference.
  public typealias AtomicRepresentation = Unmanaged<Object>.AtomicRepresentation
  /// The bits of a reference or of nil.
  public typealias AtomicOptionalRepresentation = Unmanaged<Object>.AtomicOptionalRepresentation

  /// Returns the bits of a reference.
  @_transparent
  public static func encodeAtomicRepresentation(_ value: consuming _KVReference) -> AtomicRepresentation {
    Unmanaged.encodeAtomicRepresentation(value.unmanaged)
  }

  /// Returns the reference of some bits.
  @_transparent
  public static func decodeAtomicRepresentation(_ bits: consuming AtomicRepresentation) -> _KVReference {
    _KVReference(Unmanaged.decodeAtomicRepresentation(bits))
  }

  /// Returns the bits of a reference or of nil.
  @_transparent
  public static func encodeAtomicOptionalRepresentation(
    _ value: consuming _KVReference?
  ) -> AtomicOptionalRepresentation {
    Unmanaged.encodeAtomicOptionalRepresentation(value?.unmanaged)
  }

  /// Returns the reference of some bits, or nil.
  @_transparent
  public static func decodeAtomicOptionalRepresentation(
    _ bits: consuming AtomicOptionalRepresentation
  ) -> _KVReference? {
    Unmanaged.decodeAtomicOptionalRepresentation(bits).map { _KVReference($0) }
  }
}
