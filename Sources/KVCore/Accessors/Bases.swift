// The few places where a base pointer becomes a value again. A base is the object itself where the owner is a class, and
// the address of the value elsewhere; `Root` is always the type that the base was made from, or a superclass of it: the
// table of a class is used for the class and its subclasses only.

/// Calls a function with the owner at a base.
@inlinable @inline(__always)
func withRoot<Root, Result>(_ base: UnsafeRawPointer, _ type: Root.Type, _ body: (Root) -> Result) -> Result {
  if Root.self is AnyObject.Type {
    return Unmanaged<AnyObject>.fromOpaque(base)._withUnsafeGuaranteedRef { object in
      body(unsafeBitCast(object, to: Root.self))
    }
  }
  return body(base.assumingMemoryBound(to: Root.self).pointee)
}

/// Calls a function with the owner at a base, which it may change in place if it is a value.
@inlinable @inline(__always)
func withMutableRoot<Root>(_ base: UnsafeMutableRawPointer, _ type: Root.Type, _ body: (inout Root) -> Void) {
  if Root.self is AnyObject.Type {
    Unmanaged<AnyObject>.fromOpaque(base)._withUnsafeGuaranteedRef { object in
      var root = unsafeBitCast(object, to: Root.self)
      body(&root)
    }
  } else {
    body(&base.assumingMemoryBound(to: Root.self).pointee)
  }
}

/// Initialises memory with a value.
@inlinable @inline(__always)
func store<Value>(_ value: Value, in memory: UnsafeMutableRawPointer) {
  _ = memory.initializeMemory(as: Value.self, to: value)
}

/// Returns the base of an object.
@inlinable @inline(__always)
func base(of object: AnyObject) -> UnsafeMutableRawPointer { Unmanaged.passUnretained(object).toOpaque() }

/// Returns a read function that insists on the main actor.
@usableFromInline
func onMainActor(_ key: String, _ read: @escaping ReadFunction) -> ReadFunction {
  return { base, out in
    MainActor.preconditionIsolated("The key \"\(key)\" belongs to a type of the main actor, and was read elsewhere.")
    read(base, out)
  }
}

/// Returns a write function that insists on the main actor.
@usableFromInline
func onMainActor(_ key: String, _ write: @escaping WriteFunction) -> WriteFunction {
  return { base, value in
    MainActor.preconditionIsolated("The key \"\(key)\" belongs to a type of the main actor, and was written elsewhere.")
    write(base, value)
  }
}
