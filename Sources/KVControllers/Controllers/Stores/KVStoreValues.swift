import KVBinding
import KVCore

/// The values of a ``KVStoreController``, whose keys are those of the store (TRC.8).
///
/// ```swift
/// settings.values.theme                                   // "light", as Any?
/// try settings.values.setValue("dark", forKey: "theme")
/// ```
@dynamicMemberLookup
public final class KVStoreValues: KVObject, Plumbing {
  private weak var controller: KVStoreController?

  init(of controller: KVStoreController) { self.controller = controller }

  /// The values have no keys of their own.
  public override class var keyTable: KVTable {
    super.keyTable.extended(for: KVStoreValues.self, listedKeysOnly: true) { _ in }.hidingStorage()
  }

  /// The value of a key.
  ///
  /// Setting a value that the store cannot have is reported through ``KVDiagnostics``; `setValue(_:forKey:)` throws.
  ///
  /// - Parameter key: The key, which may contain dots.
  /// - Returns: The value that is not applied yet, that of the store, or the initial one; nil if there is none.
  public subscript(key: String) -> Any? {
    get { (try? value(forUndefinedKey: key)) ?? nil }
    set {
      do throws(KVError) { try setValue(newValue, forKey: key) } catch {
        KVDiagnostics.report(.error, .faultyValue, KVKeyPath(singleKey: key), self) { "\(error)" }
      }
    }
  }

  /// The value of a key that is a Swift identifier; see ``subscript(_:)``.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; nil if there is none.
  public subscript(dynamicMember key: String) -> Any? {
    get { self[key] }
    set { self[key] = newValue }
  }

  /// Returns the value of a key of the store.
  ///
  /// - Throws: ``KVError``: `unresolvedPath` if the controller has ended; the error of the store.
  public override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    guard let controller else { throw ended(key) }
    return try controller.visibleValue(of: key)
  }

  /// Sets the value of a key of the store, now or when it is saved (TRC.9).
  ///
  /// - Throws: As ``value(forUndefinedKey:)``.
  public override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    guard let controller else { throw ended(key) }
    try controller.set(value, of: key)
  }

  private func ended(_ key: String) -> KVError {
    KVError(
      .unresolvedPath, "the KVStoreController of these values has ended. Keep it as long as its values are used.",
      component: key, rootType: "KVStoreValues")
  }
}
