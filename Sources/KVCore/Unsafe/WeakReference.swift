/// A weak reference that does not slow its object down.
///
/// `weak` moves the reference counts of the object to a side table, for good: each later retain and release of the
/// object, anywhere in the program, then takes three times as long, and loading the reference takes 40 ns. This reference
/// keeps the memory of the object, as `unowned` does, and is loaded as `weak` is: the runtime returns a strong reference
/// unless the `deinit` of the object has begun. The memory is freed when the object is dead and the last such reference
/// is gone; all that the object owned is released by its `deinit`, as usual (Docs/Decisions/0020).
///
/// Objects of Objective-C count references in other ways, and WebAssembly has no common convention for calling C.
/// There, and with the compilation condition `KV_WEAK_ENDS`, this is a `weak` reference.
// guard: never set again, and the runtime counts references atomically
@frozen @usableFromInline
package struct WeakReference<Object: AnyObject>: @unchecked Sendable {
  /// The identity of the object, also after its death.
  @usableFromInline package let id: ObjectIdentifier

  #if KV_WEAK_ENDS || canImport(ObjectiveC) || arch(wasm32)
    /// The object; nil from the begin of its `deinit`.
    @usableFromInline package weak let object: Object?

    /// Creates a reference.
    @inlinable
    package init(_ object: Object) {
      id = ObjectIdentifier(object)
      self.object = object
    }

    /// Whether references to an object are nil already.
    static func isDeinitializing(_ object: Object) -> Bool { WeakReference(object).object == nil }
  #else
    /// Keeps the memory; it is never loaded, since that would end the process after the object's death.
    @usableFromInline unowned let memory: Object

    /// Creates a reference.
    @inlinable
    package init(_ object: Object) {
      id = ObjectIdentifier(object)
      memory = object
    }

    /// The object; nil from the begin of its `deinit`.
    @inlinable @inline(__always)
    package var object: Object? {
      guard let object = tryRetain(UnsafeRawPointer(bitPattern: UInt(bitPattern: id)).unsafelyUnwrapped) else {
        return nil
      }
      return Unmanaged<Object>.fromOpaque(object).takeRetainedValue()
    }

    /// Whether references to an object are nil already.
    static func isDeinitializing(_ object: Object) -> Bool {
      // The caller keeps the memory.
      guard let object = tryRetain(UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())) else { return true }
      Unmanaged<Object>.fromOpaque(object).release()
      return false
    }
  #endif
}

#if !(KV_WEAK_ENDS || canImport(ObjectiveC) || arch(wasm32))
  /// Retains an object unless its `deinit` has begun; the memory must not have been freed.
  ///
  /// The function is in Sources/KVRuntime.
  @_silgen_name("kv_tryRetain")
  @usableFromInline
  func tryRetain(_ object: UnsafeRawPointer) -> UnsafeMutableRawPointer?
#endif
