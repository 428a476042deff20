/// Returns a value of a class as an object.
///
/// A cast would first find out whether the value is to be put in a box.
@inline(__always)
func asObject<Value>(_ value: Value) -> AnyObject { unsafeBitCast(value, to: AnyObject.self) }

/// Returns an object that ``asObject(_:)`` has returned as the value of its class.
@inline(__always)
func asValue<Value>(_ object: AnyObject) -> Value { unsafeBitCast(object, to: Value.self) }
