import KVBinding
import KVCore

/// A controller of a dictionary: an array of its entries, which can be filtered, sorted, selected and edited (TRC.7).
///
/// ```swift
/// let headers = KVDictionaryController<String>()
/// try headers.bind("contentDictionary", to: "headers", of: request, options: .twoWay)
/// try nameField.bind("text", to: "selection.key", of: headers, options: .init(.twoWay, trigger: .onCommit))
/// try headers.add()                                       // "key": "value"
/// ```
///
/// Without descriptors the entries are in the order of their keys. An entry whose key stays is the same object.
open class KVDictionaryController<Value>: KVArrayController<KVDictionaryEntry<Value>> {
  private static var dictionaryKey: InternedKey { InternedKey("contentDictionary") }
  /// The values of keys that are not shown.
  private var excluded: [String: Value] = [:]
  /// The dictionary before an update, while the getters show the former state.
  private var previous: [String: Value]?

  /// Keys that are shown though the dictionary does not have them.
  @KVProperty public final var includedKeys: [String] = [] {
    willSet { for entry in entries(whose: includedKeys, becomes: newValue) { entry.includedWillChange() } }
    didSet {
      for entry in entries(whose: oldValue, becomes: includedKeys) { entry.includedDidChange() }
      update { show(currentDictionary) }
    }
  }
  /// Keys that are not shown.
  @KVProperty public final var excludedKeys: [String] = [] {
    didSet { update { show(currentDictionary) } }
  }
  /// The texts that a user reads instead of keys; see ``KVDictionaryEntry/localizedKey``.
  @KVProperty public final var localizedKeys: [String: String] = [:] {
    willSet { for entry in model.content { entry.willChangeValue(forKey: "localizedKey") } }
    didSet { for entry in model.content { entry.didChangeValue(forKey: "localizedKey") } }
  }
  /// The key of a new entry; if the dictionary has it, a number follows: "key1", "key2".
  @KVProperty public final var initialKey = "key"
  /// The value of a new entry: "value" if values can be texts, else nil, and `add()` throws.
  @KVProperty public final var initialValue: Value? = ("value" as Any) as? Value

  /// Creates a controller of an empty dictionary.
  public init() { super.init() }

  /// The keys of the controller.
  open override class var keyTable: KVTable {
    super.keyTable.extended(for: KVDictionaryController<Value>.self) { key in
      key("contentDictionary", { $0.contentDictionary }, set: { try $0.setKeyedDictionary($1) }).notifiesItself()
      key("includedKeys", { $0.includedKeys }, set: { $0.includedKeys = $1 }).notifiesItself()
      key("excludedKeys", { $0.excludedKeys }, set: { $0.excludedKeys = $1 }).notifiesItself()
      key("localizedKeys", { $0.localizedKeys }, set: { $0.localizedKeys = $1 }).notifiesItself()
      key("initialKey", { $0.initialKey }, set: { $0.initialKey = $1 }).notifiesItself()
      key("initialValue", { $0.initialValue }, set: { $0.initialValue = $1 }).notifiesItself()
    }.hidingStorage()
  }

  /// Sets no content for nil.
  open override func setNilValue(forKey key: String) throws(KVError) {
    if key == "contentDictionary" { try setKeyedDictionary([:]) } else { try super.setNilValue(forKey: key) }
  }

  // MARK: The dictionary

  /// The dictionary, which can be observed and bound.
  ///
  /// It is changed by edits of the entries, by adding and by removing. Assigning keeps the entries whose keys stay, and
  /// commits edits first; if that fails, the error is reported and nothing changes (EDT.4).
  ///
  /// - Complexity: O(*n*); assigning O(*n* log *n*).
  public final var contentDictionary: [String: Value] {
    get { previous ?? currentDictionary }
    set { if commitsEditing(beforeSetting: "contentDictionary") { update { show(newValue) } } }
  }

  /// Sets the dictionary by key, or by its binding, whose changes cannot be prevented.
  ///
  /// - Throws: ``KVError``: the error of a commit. Nothing has changed then.
  private func setKeyedDictionary(_ new: [String: Value]) throws(KVError) {
    try commitBeforeKeyedSetting()
    update { show(new) }
  }

  private func entries(whose old: [String], becomes new: [String]) -> [KVDictionaryEntry<Value>] {
    model.content.filter { old.contains($0.key) != new.contains($0.key) }
  }

  private var currentDictionary: [String: Value] {
    model.content.reduce(into: excluded) { $0[$1.key] = $1.value }
  }

  private func show(_ new: [String: Value]) {
    recordChange()
    excluded = new.filter { excludedKeys.contains($0.key) }
    let keys = Set(new.keys).union(includedKeys).subtracting(excludedKeys)
    let changed = model.content.filter { entry in
      keys.contains(entry.key) && !Equality.areSame(entry.value as Any?, new[entry.key] as Any?)
    }
    for entry in changed { entry.valueWillChange() }
    // A handler finds the whole dictionary, and what it edits is an edit of that.
    for entry in changed { entry.take(new[entry.key]) }
    removeNow(model.content.indices.filter { !keys.contains(model.content[$0].key) })
    let known = Set(model.content.map(\.key))
    insertOrdered(keys.subtracting(known).sorted().map { KVDictionaryEntry($0, new[$0], in: self) })
    for entry in changed.reversed() { entry.valueDidChange() }
  }

  /// Inserts entries where their keys belong.
  private func insertOrdered(_ entries: [KVDictionaryEntry<Value>]) {
    if entries.isEmpty { return }
    make { model.insertion(of: entries, at: sortedIndexes(of: entries)) }
  }

  /// Returns where entries belong in the content.
  private func sortedIndexes(of entries: [KVDictionaryEntry<Value>]) -> [Int] {
    var result = Array(repeating: 0, count: entries.count)
    for (rank, position) in entries.indices.sorted(by: { entries[$0].key < entries[$1].key }).enumerated() {
      let key = entries[position].key
      result[position] = rank + (model.content.firstIndex { $0.key > key } ?? model.content.count)
    }
    return result
  }

  override func contentIndexes(adding entries: [KVDictionaryEntry<Value>]) throws(KVError) -> [Int] {
    var keys: Set<String> = []
    for entry in entries {
      try checkIsFree(entry.key)
      if !keys.insert(entry.key).inserted { throw duplicateKey(entry.key) }
    }
    for entry in entries { entry.join(self) }
    return sortedIndexes(of: entries)
  }

  override func contentIndexes(
    inserting entries: [KVDictionaryEntry<Value>], at arranged: [Int]
  ) throws(KVError) -> [Int] {
    _ = try super.contentIndexes(inserting: entries, at: arranged)
    return try contentIndexes(adding: entries)
  }

  /// Records that the dictionary changes in the present update.
  private func recordChange() {
    perform { KeyUpdate(changes: [KeyChange(Self.dictionaryKey)]) { self.model.state.version += 1 } }
  }

  /// Throws if the dictionary has a key, or would not show it.
  ///
  /// - Throws: ``KVError`` (`invalidValue`).
  final func checkIsFree(_ key: String) throws(KVError) {
    if model.content.contains(where: { $0.key == key }) || excluded[key] != nil { throw duplicateKey(key) }
    guard excludedKeys.contains(key) else { return }
    throw KVError(
      .invalidValue, "the key \"\(key)\" is one of excludedKeys, so that no entry shows it. Choose another one.",
      component: "key", rootType: "\(type(of: self))")
  }

  private func duplicateKey(_ key: String) -> KVError {
    KVError(
      .invalidValue, "the dictionary has the key \"\(key)\" already. Choose another one, or change its value.",
      component: "key", rootType: "\(type(of: self))")
  }

  /// Returns whether an entry is shown.
  final func shows(_ entry: KVDictionaryEntry<Value>) -> Bool { model.content.contains { $0 === entry } }

  /// Makes the change of an entry, and moves it to where its key belongs.
  final func edit(_ entry: KVDictionaryEntry<Value>, _ change: () -> Void) {
    update {
      recordChange()
      let key = entry.key
      change()
      guard let index = model.content.firstIndex(where: { $0 === entry }) else { return }
      if entry.value == nil, !includedKeys.contains(entry.key) {
        removeNow([index])
      } else if entry.key != key {
        let isSelected = model.state.selection.indexes.contains { arrangedObjects[$0] === entry }
        make { model.removal(at: [index]) }
        insertOrdered([entry])
        if isSelected { selectNow { model.state.selection.indexes + model.indexes(of: [entry]) } }
      }
      if entry.key != key, includedKeys.contains(key) { insertOrdered([KVDictionaryEntry(key, nil, in: self)]) }
    }
  }

  /// Creates an entry with a free key and the initial value.
  ///
  /// - Returns: The entry.
  /// - Throws: ``KVError`` (`unsupported`) if there is no ``initialValue``.
  open override func newObject() throws -> KVDictionaryEntry<Value> {
    guard let initialValue else {
      throw KVError(
        .unsupported, "\(type(of: self)) cannot create an entry: set its initialValue.", rootType: "\(type(of: self))")
    }
    let known = Set(model.content.map(\.key)).union(excluded.keys).union(excludedKeys)
    var (key, number) = (initialKey, 0)
    while known.contains(key) {
      number += 1
      key = "\(initialKey)\(number)"
    }
    return KVDictionaryEntry(key, initialValue, in: self)
  }

  // MARK: Updates

  /// The state of the array, and the dictionary.
  private struct Snapshot {
    let arrays: Any
    let dictionary: [String: Value]
    let version: Int
  }

  override func isObserved(_ key: InternedKey) -> Bool {
    super.isObserved(key) || key == Keys.content && super.isObserved(Self.dictionaryKey)
  }

  override func completed(_ update: KeyUpdate?) -> KeyUpdate? {
    var update = super.completed(update)
    guard update?.changes.contains(where: { $0.key == Keys.content }) == true, !isUpdating else { return update }
    update?.changes.append(KeyChange(Self.dictionaryKey))
    return update
  }

  override func snapshot() -> Any {
    Snapshot(arrays: super.snapshot(), dictionary: currentDictionary, version: model.state.version)
  }

  override func restore(_ snapshot: Any) {
    guard let snapshot = snapshot as? Snapshot else { return }
    super.restore(snapshot.arrays)
    previous = snapshot.version == model.state.version ? nil : snapshot.dictionary
  }

  override func combined(_ changes: [KeyChange], since snapshot: Any) -> KeyUpdate {
    guard let snapshot = snapshot as? Snapshot else { return super.combined(changes, since: snapshot) }
    var changes = changes
    if changes.contains(where: { $0.key == Keys.content }) { changes.append(KeyChange(Self.dictionaryKey)) }
    var update = super.combined(changes, since: snapshot.arrays)
    if Equality.areSame(snapshot.dictionary, currentDictionary) {
      update.changes.removeAll { $0.key == Self.dictionaryKey }
    }
    return update
  }
}
