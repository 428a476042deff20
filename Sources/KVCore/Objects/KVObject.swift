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
/// An object is one word larger than a plain one; the word is empty until somebody observes it. A class that has
/// another superclass conforms to ``KVObservable`` instead.
///
/// Like any class with mutable state a model is not `Sendable`: it belongs to one isolation domain. Subclasses may be
/// isolated to the main actor.
open class KVObject: KVObservable {
  /// The place for the registrar.
  public final let registrarSlot = KVRegistrarSlot()

  /// Makes an object that nobody observes.
  public init() {}

  /// Runs what was to be done when the object dies; its properties, those of subclasses too, are still there.
  deinit { registrarSlot.active?._withUnsafeGuaranteedRef { $0.objectWillDie() } }

  /// The accessor table of the class; overrides extend `super.keyTable` (TAB.3).
  open class var keyTable: KVTable { .empty }

  /// Returns the value of a key that the class does not have; by default there is none (KVC.16).
  ///
  /// - Parameter key: The key, which no table and no stored property answers to.
  /// - Throws: ``KVError`` with the code `undefinedKey`.
  open func value(forUndefinedKey key: String) throws(KVError) -> Any? { throw Failure.undefinedKey(key, of: self) }

  /// Takes a value for a key that the class does not have; by default it refuses (KVC.16).
  ///
  /// - Parameters:
  ///   - value: The value, or nil.
  ///   - key: The key, which no table and no stored property answers to.
  /// - Throws: ``KVError`` with the code `undefinedKey`.
  open func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    throw Failure.undefinedKey(key, of: self)
  }

  /// Takes nil for a property that is not optional; by default it refuses (KVC.13).
  ///
  /// - Parameter key: The key of the property.
  /// - Throws: ``KVError`` with the code `nilValue`.
  open func setNilValue(forKey key: String) throws(KVError) { throw Failure.nilValue(key, of: self) }

  /// The registrar, if anybody has ever observed the object.
  @inlinable @inline(__always)
  public final var _activeRegistrar: Unmanaged<KVRegistrar>? { registrarSlot.active }
}
