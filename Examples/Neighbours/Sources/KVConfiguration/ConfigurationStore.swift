import Configuration
import KVControllers

/// A snapshot of a configuration, as a store of values by key.
final class ConfigurationStore: KVKeyValueStore {
  var snapshot: ConfigSnapshotReader

  init(_ snapshot: ConfigSnapshotReader) { self.snapshot = snapshot }

  /// Returns the value of a key, of the type that its provider has; nil if no provider has the key.
  ///
  /// A provider only says whether a value can be read as a type. The types are tried in the order in which nothing is lost: an
  /// environment variable is a text, and a number of a JSON file is an `Int` before it is a `Double` or a `Bool`. A boolean of a
  /// JSON file is 1 or 0 that way, which a key of the type `Bool` takes.
  func storedValue(forKey key: String) -> Any? {
    let name = ConfigKey(key)
    if let value = snapshot.string(forKey: name) { return value }
    if let value = snapshot.int(forKey: name) { return value }
    if let value = snapshot.double(forKey: name) { return value }
    if let value = snapshot.bool(forKey: name) { return value }
    if let values = snapshot.stringArray(forKey: name) { return values }
    if let values = snapshot.intArray(forKey: name) { return values }
    if let values = snapshot.doubleArray(forKey: name) { return values }
    if let values = snapshot.boolArray(forKey: name) { return values }
    return snapshot.bytes(forKey: name)
  }

  func setStoredValue(_ value: Any?, forKey key: String) throws(KVError) {
    throw KVError(
      .notSettable, "a configuration is read, and not written: \"\(key)\" has to be changed where its provider has it.",
      component: key, rootType: "ConfigReader")
  }
}
