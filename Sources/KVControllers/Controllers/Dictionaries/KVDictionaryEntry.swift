import KVBinding
import KVCore

/// An entry of a dictionary, as a ``KVDictionaryController`` arranges it (TRC.7).
///
/// Its keys can be observed and bound. A new value is written to the dictionary at once.
public final class KVDictionaryEntry<Value>: KVObject {
  private(set) weak var controller: KVDictionaryController<Value>?
  private var state: (key: String, value: Value?)

  init(_ key: String, _ value: Value?, in controller: KVDictionaryController<Value>) {
    state = (key, value)
    self.controller = controller
  }

  /// The keys of the entry.
  public override class var keyTable: KVTable {
    // Closures: a key path of a generic class is made anew at each access.
    super.keyTable.extended(for: KVDictionaryEntry<Value>.self) { key in
      key("key", { $0.key }, set: { entry, new throws(KVError) in try entry.rename(new) }).notifiesManually()
      key("value", { $0.value }, set: { $0.value = $1 }).notifiesManually()
      key("localizedKey") { $0.localizedKey }.notifiesManually()
      key("isExplicitlyIncluded") { $0.isExplicitlyIncluded }.notifiesManually()
    }.hidingStorage()
  }

  /// The key in the dictionary.
  ///
  /// A write by key of one that the dictionary has already throws `invalidValue`; an assignment is reported, and changes
  /// nothing.
  public var key: String {
    get { state.key }
    set {
      do throws(KVError) { try rename(newValue) } catch {
        KVDiagnostics.report(.error, .faultyValue, "key", self) { "\(error)" }
      }
    }
  }

  /// The value; nil for an included key that the dictionary does not have.
  ///
  /// Setting nil removes the entry from the dictionary, and keeps it if its key is included.
  public var value: Value? {
    get { state.value }
    set {
      if Equality.areSame(state.value as Any?, newValue as Any?) { return }
      change(["value"]) { $0.value = newValue }
    }
  }

  /// The name that a user reads: that of ``KVDictionaryController/localizedKeys``, or else the key.
  public var localizedKey: String { controller?.localizedKeys[key] ?? key }

  /// Whether the key is one of ``KVDictionaryController/includedKeys``, so that the entry is shown without a value.
  public var isExplicitlyIncluded: Bool { controller?.includedKeys.contains(key) ?? false }

  private func rename(_ new: String) throws(KVError) {
    if new == key { return }
    if let controller, controller.shows(self) { try controller.checkIsFree(new) }
    change(["key", "localizedKey", "isExplicitlyIncluded"]) { $0.key = new }
  }

  /// Changes the entry, and with it the dictionary.
  private func change(_ keys: [String], _ body: @escaping (inout (key: String, value: Value?)) -> Void) {
    let change = { [self] in
      for key in keys { willChangeValue(forKey: key) }
      body(&state)
      for key in keys.reversed() { didChangeValue(forKey: key) }
    }
    if let controller { controller.edit(self, change) } else { change() }
  }

  // MARK: For the controller

  /// Takes the value that somebody else has set in the dictionary, between the two notifications.
  func take(_ value: Value?) { state.value = value }

  func valueWillChange() { willChangeValue(forKey: "value") }
  func valueDidChange() { didChangeValue(forKey: "value") }
  func includedWillChange() { willChangeValue(forKey: "isExplicitlyIncluded") }
  func includedDidChange() { didChangeValue(forKey: "isExplicitlyIncluded") }

  /// Becomes an entry of the dictionary of a controller.
  func join(_ controller: KVDictionaryController<Value>) { self.controller = controller }
}
