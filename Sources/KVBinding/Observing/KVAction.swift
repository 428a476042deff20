/// What is done to a target when a value changes: a function with a name, as a selector is (TGT.1).
///
/// Swift's methods cannot be compared, so the name stands for the function: of one target the same name is the same
/// action, when it is removed and when records are merged.
///
/// ```swift
/// extension KVAction<ListView> {
///   static var reload: KVAction { KVAction("reload", ListView.reload) }
/// }
/// try model.addTarget(view, .reload, forKeyPath: "items")
/// model.removeTarget(view, .reload, forKeyPath: "items")
/// ```
public struct KVAction<Target: AnyObject> {
  /// The name.
  public let name: String
  /// Whether it takes the record of the change.
  public let takesChange: Bool
  let call: (Target, KVChange?) -> Void

  /// Makes an action from a method without parameters.
  ///
  /// - Parameters:
  ///   - name: The name; unique among the actions of a target.
  ///   - method: The method, such as `ListView.reload`.
  @_disfavoredOverload
  public init(_ name: String, _ method: @escaping (Target) -> () -> Void) {
    self.name = name
    takesChange = false
    call = { target, _ in method(target)() }
  }

  /// Makes an action from a method that takes the record.
  ///
  /// - Parameters:
  ///   - name: The name; unique among the actions of a target.
  ///   - method: The method, such as `ListView.itemsDidChange`.
  @_disfavoredOverload
  public init(_ name: String, _ method: @escaping (Target) -> (KVChange) -> Void) {
    self.name = name
    takesChange = true
    call = { target, change in if let change { method(target)(change) } }
  }

  /// Makes an action from a closure without parameters but the target.
  ///
  /// - Parameters:
  ///   - name: The name; unique among the actions of a target.
  ///   - body: What is done.
  public init(_ name: String, perform body: @escaping (Target) -> Void) {
    self.name = name
    takesChange = false
    call = { target, _ in body(target) }
  }

  /// Makes an action from a closure that takes the record.
  ///
  /// - Parameters:
  ///   - name: The name; unique among the actions of a target.
  ///   - body: What is done.
  public init(_ name: String, perform body: @escaping (Target, KVChange) -> Void) {
    self.name = name
    takesChange = true
    call = { target, change in if let change { body(target, change) } }
  }
}

/// A target whose actions are held back and merged inside of `KVCoalescing.coalesce` (COA.2).
///
/// ```swift
/// try model.addTarget(KVCoalescingProxy(view), .reload, forKeyPaths: ["items", "title"])
/// ```
///
/// Registrations are found by the target itself: remove them with the target, or with another proxy of it.
public struct KVCoalescingProxy<Target: AnyObject> {
  /// The target.
  public let target: Target

  /// Makes a proxy of a target.
  ///
  /// - Parameter target: The target; held weakly by what is registered.
  public init(_ target: Target) { self.target = target }
}
