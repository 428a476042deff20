/// Whether an object is being deinitialized: its `deinit` runs, or its stored properties are released.
///
/// Nothing may retain such an object for longer than its `deinit` takes; the runtime ends the process otherwise. The
/// runtime refuses to load a weak reference to it, which is how this function finds out.
///
/// - Parameter object: The object.
/// - Returns: Whether it must not be kept.
package func isDeinitializing(_ object: AnyObject) -> Bool {
  weak let living = object
  return living == nil
}
