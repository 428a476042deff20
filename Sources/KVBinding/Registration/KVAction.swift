/// A named action of a target, to call when a value changes (TGT.1).
///
/// Swift cannot compare methods, so the name identifies the action, like a selector: the same name on the same target
/// is the same action, when targets are removed and when changes are coalesced.
///
/// ```swift
/// extension KVAction<ListView> {
///   static var reload: KVAction { KVAction("reload", ListView.reload) }
/// }
/// try model.addTarget(view, .reload, forKeyPath: "items")
/// model.removeTarget(view, .reload, forKeyPath: "items")
/// ```
public struct KVAction<Target: AnyObject> {
  /// The name of the action.
  package let name: String
  /// Whether the action takes the change as a parameter.
  package let takesChange: Bool
  let call: (Target, KVChange?) -> Void

  /// Creates an action from a method without parameters.
  ///
  /// - Parameters:
  ///   - name: The name, which must be unique among the actions of a target.
  ///   - method: The method, such as `ListView.reload`.
  @_disfavoredOverload
  public init(_ name: String, _ method: @escaping (Target) -> () -> Void) {
    self.name = name
    takesChange = false
    call = { target, _ in method(target)() }
  }

  /// Creates an action from a method that takes the change.
  ///
  /// - Parameters:
  ///   - name: The name, which must be unique among the actions of a target.
  ///   - method: The method, such as `ListView.itemsDidChange`.
  @_disfavoredOverload
  public init(_ name: String, _ method: @escaping (Target) -> (KVChange) -> Void) {
    self.name = name
    takesChange = true
    call = { target, change in if let change { method(target)(change) } }
  }

  /// Creates an action from a closure that takes only the target.
  ///
  /// - Parameters:
  ///   - name: The name, which must be unique among the actions of a target.
  ///   - body: The closure to call.
  public init(_ name: String, perform body: @escaping (Target) -> Void) {
    self.name = name
    takesChange = false
    call = { target, _ in body(target) }
  }

  /// Creates an action from a closure that takes the target and the change.
  ///
  /// - Parameters:
  ///   - name: The name, which must be unique among the actions of a target.
  ///   - body: The closure to call.
  public init(_ name: String, perform body: @escaping (Target, KVChange) -> Void) {
    self.name = name
    takesChange = true
    call = { target, change in if let change { body(target, change) } }
  }
}
