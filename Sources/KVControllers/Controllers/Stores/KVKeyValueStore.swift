import KVBinding
import KVCore

/// A store of values by key, which a ``KVStoreController`` makes bindable (TRC.8).
///
/// `UserDefaults` is one. A store of your own reads and writes values, and may tell of changes that others make:
///
/// ```swift
/// final class Environment: KVKeyValueStore {
///   func storedValue(forKey key: String) -> Any? { ProcessInfo.processInfo.environment[key] }
///   func setStoredValue(_ value: Any?, forKey key: String) throws(KVError) { … }
/// }
/// ```
public protocol KVKeyValueStore: AnyObject {
  /// Returns the value of a key; nil if there is none.
  ///
  /// - Parameter key: The key.
  /// - Throws: ``KVError`` if it cannot be read.
  func storedValue(forKey key: String) throws(KVError) -> Any?

  /// Stores a value.
  ///
  /// - Parameters:
  ///   - value: The value; nil removes the key.
  ///   - key: The key.
  /// - Throws: ``KVError`` if the store cannot have it. Nothing has changed then.
  func setStoredValue(_ value: Any?, forKey key: String) throws(KVError)

  /// Begins to call a function after changes of a key; it may be called more often.
  ///
  /// Without an implementation, ``KVStoreController/storeDidChange()`` has to be called.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - handler: The function, which is called in the isolation domain of the controller.
  /// - Returns: An object whose end is the end of the observation; nil if the store cannot tell.
  func observeStoredValue(forKey key: String, _ handler: @escaping () -> Void) -> AnyObject?
}

extension KVKeyValueStore {
  /// Observes nothing.
  ///
  /// - Returns: nil.
  public func observeStoredValue(forKey key: String, _ handler: @escaping () -> Void) -> AnyObject? { nil }
}

/// An object as a store of the values of its keys.
final class ObjectStore: KVKeyValueStore {
  private let object: any KVObservable

  init(_ object: any KVObservable) { self.object = object }

  func storedValue(forKey key: String) throws(KVError) -> Any? { try object.value(forKey: key) }

  func setStoredValue(_ value: Any?, forKey key: String) throws(KVError) {
    _ = try ObjectAccess.set(boxed: value, KVKeyPath(singleKey: key), of: object, throwsIfUnresolved: true)
  }

  func observeStoredValue(forKey key: String, _ handler: @escaping () -> Void) -> AnyObject? {
    try? object.observe(KVKeyPath(singleKey: key), options: []) { _ in handler() }
  }
}
