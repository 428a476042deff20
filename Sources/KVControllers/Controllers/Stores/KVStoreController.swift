import KVBinding
import KVCore

/// A controller that makes a store of values bindable: the defaults of a user, a dictionary, any object with keys (TRC.8–9).
///
/// ```swift
/// let settings = KVStoreController(UserDefaults.standard, initialValues: ["theme": "light"])
/// try menu.bind("value", to: "values.theme", of: settings, options: .twoWay)
///
/// let form = KVStoreController(of: order, appliesImmediately: false)   // a form with "OK" and "Cancel"
/// try nameField.bind("text", to: "values.name", of: form, options: .twoWay)
/// try form.save()
/// ```
///
/// The keys of ``values`` are those of the store. It is what `NSUserDefaultsController` is in Cocoa, for any store.
open class KVStoreController: KVController {
  /// The store.
  public final let store: any KVKeyValueStore
  /// Whether values are written to the store at once; otherwise ``save()`` writes them (TRC.9).
  ///
  /// Values that are not applied when it is set to true stay so until ``save()`` or ``revert()``.
  @KVProperty public final var appliesImmediately: Bool
  /// Whether there are values that ``save()`` would write.
  @KVProperty public final private(set) var hasUnappliedChanges = false
  /// The values of keys for which the store has none.
  @KVProperty public final var initialValues: [String: Any] {
    didSet { storeDidChange() }
  }
  /// An object whose keys are those of the store, which can be observed and bound.
  public private(set) final lazy var values = KVStoreValues(of: self)

  private var unapplied: [String: Any?] = [:]
  /// The values that observers know, of the keys that have been asked for, and what tells of their changes.
  private var known: [String: Any?] = [:]
  private var observations: [String: AnyObject] = [:]
  /// The values before a change, while its observers are notified.
  private var previous: [String: Any?] = [:]
  /// The key that is being written to the store.
  private var writing: String?

  /// Creates a controller of a store.
  ///
  /// - Parameters:
  ///   - store: The store, which is retained.
  ///   - initialValues: The values of keys for which the store has none.
  ///   - appliesImmediately: Whether values are written at once.
  public init(_ store: some KVKeyValueStore, initialValues: [String: Any] = [:], appliesImmediately: Bool = true) {
    self.store = store
    self.appliesImmediately = appliesImmediately
    self.initialValues = initialValues
    super.init()
  }

  /// Creates a controller of the keys of an object.
  ///
  /// - Parameters:
  ///   - object: The object, which is retained. Changes of it by others are shown.
  ///   - initialValues: The values of keys that are nil.
  ///   - appliesImmediately: Whether values are set at once.
  public convenience init(
    of object: some KVObservable, initialValues: [String: Any] = [:], appliesImmediately: Bool = true
  ) {
    self.init(ObjectStore(object), initialValues: initialValues, appliesImmediately: appliesImmediately)
  }

  /// Creates a controller of a dictionary, of which it keeps a copy.
  ///
  /// - Parameters:
  ///   - dictionary: The values.
  ///   - initialValues: The values of keys that the dictionary does not have.
  ///   - appliesImmediately: Whether values are set at once.
  /// - Throws: ``KVError`` (`limitExceeded`) if it is nested too deeply.
  public convenience init(
    _ dictionary: [String: Any], initialValues: [String: Any] = [:], appliesImmediately: Bool = true
  ) throws(KVError) {
    self.init(
      of: try KVRecord(dictionary), initialValues: initialValues, appliesImmediately: appliesImmediately)
  }

  /// The keys of the controller.
  open override class var keyTable: KVTable {
    super.keyTable.extended(for: KVStoreController.self) { key in
      key("values") { $0.values }.notifiesItself()
      key("appliesImmediately", \.appliesImmediately).notifiesItself()
      key("hasUnappliedChanges") { $0.hasUnappliedChanges }.notifiesItself()
      key("initialValues", \.initialValues).notifiesItself()
    }.hidingStorage()
  }

  // MARK: Applying

  /// Commits edits, and writes all values that are not applied to the store (TRC.9).
  ///
  /// - Throws: The error of a commit; nothing is written then. Else the first error of the store: the values that it does
  ///   not take stay unapplied.
  public final func save() throws(KVError) {
    try commitEditing()
    var failure: KVError?
    for (key, value) in unapplied.sorted(by: { $0.key < $1.key }) {
      do throws(KVError) {
        try store.setStoredValue(value, forKey: key)
        // A handler may have set another value meanwhile.
        if let now = unapplied[key], Equality.areSame(now, value) { unapplied[key] = nil }
      } catch {
        failure = failure ?? error.located(path: "values.\(key)", root: "\(type(of: self))")
      }
    }
    // A store may keep another value than it was given.
    storeDidChange()
    updateState()
    if let failure { throw failure }
  }

  /// Discards edits, and all values that are not applied (TRC.9).
  ///
  /// - Throws: The error of an editor; the values are discarded nevertheless.
  public final func revert() throws(KVError) {
    defer {
      unapplied = [:]
      storeDidChange()
      updateState()
    }
    try discardEditing()
  }

  /// Sets all keys that have initial values to these, as a user would (TRC.9).
  ///
  /// - Throws: The error of an editor, or ``KVError`` of the store.
  public final func revertToInitialValues() throws(KVError) {
    try discardEditing()
    for (key, value) in initialValues.sorted(by: { $0.key < $1.key }) { try values.setValue(value, forKey: key) }
  }

  private func updateState() {
    if hasUnappliedChanges == unapplied.isEmpty { hasUnappliedChanges.toggle() }
  }

  // MARK: Values

  /// Notifies of the keys whose values have changed in the store (TRC.9).
  ///
  /// A store that tells of its changes need not be asked for it.
  public final func storeDidChange() { notify(known.keys.sorted()) }

  /// Notifies of the keys whose value is not the one that observers know.
  private func notify(_ keys: [String]) {
    let changed = keys.filter { key in
      guard key != writing, let old = known[key] else { return false }
      return !Equality.areSame(old, present(key))
    }
    for key in changed { previous[key] = known[key] }
    for key in changed { values.willChangeValue(forKey: key) }
    for key in changed {
      previous[key] = nil
      known.updateValue(present(key), forKey: key)
    }
    for key in changed.reversed() { values.didChangeValue(forKey: key) }
  }

  /// The value of a key, whatever observers see; nil if it cannot be read.
  private func present(_ key: String) -> Any? { (try? value(of: key)) ?? nil }

  private func value(of key: String) throws(KVError) -> Any? {
    let value = if let value = unapplied[key] { value } else { try store.storedValue(forKey: key) }
    return value.flatMap(unwrappingOptionals) ?? initialValues[key]
  }

  /// Returns the value of a key, as observers see it.
  final func visibleValue(of key: String) throws(KVError) -> Any? {
    if let value = previous[key] { return value }
    let value = try value(of: key)
    if known[key] == nil {
      known.updateValue(value, forKey: key)
      observations[key] = store.observeStoredValue(forKey: key) { [weak self] in self?.notify([key]) }
    }
    return value
  }

  /// Sets the value of a key; the caller notifies of it.
  final func set(_ value: Any?, of key: String) throws(KVError) {
    // From now on, changes by others are told.
    _ = try visibleValue(of: key)
    let value = value.flatMap(unwrappingOptionals)
    if appliesImmediately {
      let outer = writing
      writing = key
      defer { writing = outer }
      try store.setStoredValue(value, forKey: key)
      unapplied[key] = nil
    } else if Equality.areSame(try store.storedValue(forKey: key), value) {
      unapplied[key] = nil
    } else {
      unapplied.updateValue(value, forKey: key)
    }
    known.updateValue(present(key), forKey: key)
    updateState()
  }
}
