/// Whether an object is being deinitialized: its `deinit` runs, or its stored properties are released.
///
/// Nothing may retain such an object for longer than its `deinit` takes; the runtime ends the process otherwise. A weak
/// reference to it is nil, which is how this function finds out.
///
/// - Parameter object: The object.
/// - Returns: Whether it must not be kept.
package func isDeinitializing(_ object: AnyObject) -> Bool { WeakReference.isDeinitializing(object) }
