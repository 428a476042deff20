/// The base class of models that are read, written and observed by key.
///
/// ```swift
/// final class Person: KVObject {
///   @KVProperty var name = "Ada"
///
///   override class var keyTable: KVTable {
///     super.keyTable.extended(for: Person.self) { key in key("name", \.name) }
///   }
/// }
///
/// let person = Person()
/// try person.setValue("Grace", forKey: "name")
/// try person.value(forKey: "name", as: String.self)   // "Grace"
/// ```
///
/// An object is one word larger than a plain one. The word stays empty until the object is observed. A class with
/// another superclass conforms to ``KVObservable`` instead.
///
/// Like any class with mutable state, a model is not `Sendable`: it belongs to one isolation domain. Subclasses may be
/// isolated to the main actor.
open class KVObject: KVObservable {
  /// The storage for the registrar.
  public final let registrarSlot = KVRegistrarSlot()

  /// Creates an object without observers.
  public init() {}

  /// Notifies the registrar before the object is deallocated; all properties, including those of subclasses, still
  /// exist.
  deinit { registrarSlot.active?.borrow { $0.objectWillDeallocate() } }

  /// The accessor table of the class; overrides extend `super.keyTable` (TAB.3).
  open class var keyTable: KVTable { .empty }

  /// Returns the value of an undefined key; the default implementation throws (KVC.16).
  ///
  /// - Parameter key: A key that neither a table nor a stored property defines.
  /// - Returns: The value, which is the result of the read.
  /// - Throws: ``KVError`` (`undefinedKey`).
  open func value(forUndefinedKey key: String) throws(KVError) -> Any? { throw Failure.undefinedKey(key, of: self) }

  /// Sets the value of an undefined key; the default implementation throws (KVC.16).
  ///
  /// - Parameters:
  ///   - value: The value, or nil.
  ///   - key: A key that neither a table nor a stored property defines.
  /// - Throws: ``KVError`` (`undefinedKey`).
  open func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    throw Failure.undefinedKey(key, of: self)
  }

  /// Sets nil for a property that is not optional; the default implementation throws (KVC.13).
  ///
  /// - Parameter key: The key of the property.
  /// - Throws: ``KVError`` (`nilValue`).
  open func setNilValue(forKey key: String) throws(KVError) { throw Failure.nilValue(key, of: self) }

  /// The registrar, or `nil` if the object has never been observed.
  @inlinable @inline(__always)
  public final var _activeRegistrar: _KVReference<_KVRegistrar>? { registrarSlot.active }
}
