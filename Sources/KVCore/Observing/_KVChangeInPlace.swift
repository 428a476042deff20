/// A change in place of a property that is observed; an object, so that it takes one word of the accessor's frame.
///
/// It is not API: the code that ``KVModel(_:)`` generates uses it.
public final class _KVChangeInPlace<Value> {
  private let change: ModifyChange<Value>

  init(_ change: ModifyChange<Value>) { self.change = change }

  /// Notifies of the change.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - read: Returns the value.
  public func end(_ object: AnyObject, _ read: () -> Value) { change.end(object, read()) }
}
