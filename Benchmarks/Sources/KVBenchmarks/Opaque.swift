// Walls for the optimiser.

/// A function that is only known when the program runs, so that a call of it may do anything to anything.
typealias Wall = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer

/// Returns the function that results and objects go through: which of two depends on how the program was called.
@inline(never) @_optimize(none)
func wall(_ argumentCount: Int) -> Wall { argumentCount < .max ? { $0 } : { $0 + 8 } }

/// Returns its argument: the way to an object or a key path that the optimiser knows nothing of.
@inline(never) @_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }
