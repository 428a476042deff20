import KVCore

/// A key of an object that is changed by hand.
///
/// It knows no type of objects, so that its code is compiled once.
struct ManualKey {
  let name: String
  let object: any KVObservable

  init(_ name: String, of object: any KVObservable) {
    self.name = name
    self.object = object
  }

  func begin(_ kind: KVChange.Kind = .setting, at indexes: [Int]? = nil, members: [Any]? = nil) {
    guard let registrar = ObserverRegistrar.existing(of: object) else { return }
    let key = key
    var change = ManualChange(kind: kind, indexes: indexes, removedIndexes: indexes, removed: members)
    let open = OpenChange.of(key, in: registrar) { $0.live > 0 }
    if let open = consume open { begin(&change, open, registrar) } else { checkExists() }
    registrar.withRareState { $0.brackets[key, default: []].append(change) }
  }

  private func begin(_ change: inout ManualChange, _ open: consuming OpenChange, _ registrar: ObserverRegistrar) {
    let (kind, members, indexes) = (change.kind, change.removed, change.indexes)
    if let given = members, let before = self.members {
      change.before = before
      change.removed = given.filter { ($0 as? AnyHashable).map(before.contains) ?? true }
    }
    if kind.removes, let indexes { (change.removedIndexes, change.removed) = elements(at: indexes, kind) }
    let isNoOp = kind.removes && indexes?.isEmpty == false && change.removedIndexes?.isEmpty == true
    guard !isNoOp, let list = open.list else { return }
    let run = ChangeRun.make(registrar.plan(key, of: object, list), open)
    change.run = run
    _KVChangeNotice.with(
      key, of: object, kind, at: change.removedIndexes, from: change.removed ?? [], to: [],
      hasOld: kind.removes && change.removed != nil, hasNew: false
    ) { run.begin($0, isManual: true) }
    run.pause()
  }

  /// Ends the change that began last, and delivers it with the kind and indexes that it began with.
  func end(_ kind: KVChange.Kind = .setting, at indexes: [Int]? = nil, members: [Any]? = nil) {
    guard let registrar = ObserverRegistrar.existing(of: object) else { return }
    let key = key
    let change = registrar.withRareState { rareState -> ManualChange? in
      let change = rareState.brackets[key]?.popLast()
      if rareState.brackets[key]?.isEmpty == true { rareState.brackets[key] = nil }
      return change
    }
    guard let change else {
      return KVDiagnostics.report(.warning, .unmatchedChange, KVKeyPath(singleKey: name), object) {
        """
        didChangeValue(forKey: "\(name)") of \(type(of: object)) without willChangeValue(forKey:) before it: nothing is \
        delivered. withChange(forKey:) cannot be left unmatched.
        """
      }
    }
    if change.kind != kind || change.indexes != indexes { reportMismatch(of: change, kind, indexes) }
    guard let run = change.run, run.resume(key, registrar) else { return }
    let (removes, adds) = (change.kind.removes, change.kind.adds)
    var (old, new) = (change.removed, members)
    var indexes = change.removedIndexes
    if let before = change.before, let after = self.members {
      // Only members that were really added or removed (TOM.2).
      old = before.subtracting(after).map(\.base)
      new = after.subtracting(before).map(\.base)
      if (removes ? old : [])?.isEmpty == true, (adds ? new : [])?.isEmpty == true, change.kind != .setting { return }
    } else if adds, let given = change.indexes {
      let added = elements(at: removes ? indexes ?? given : given, change.kind)
      if added.indexes.isEmpty, !given.isEmpty { return }
      new = added.elements
      if !removes { indexes = added.indexes }
    }
    _KVChangeNotice.with(
      key, of: object, change.kind, at: change.indexes == nil ? nil : indexes, from: old ?? [], to: new ?? [],
      hasOld: removes && old != nil, hasNew: adds && new != nil
    ) { run.finish($0, registrar, isManual: true) }
  }

  private func reportMismatch(of change: ManualChange, _ kind: KVChange.Kind, _ indexes: [Int]?) {
    KVDiagnostics.report(.warning, .unmatchedChange, KVKeyPath(singleKey: name), object) {
      """
      a change of "\(name)" of \(type(of: object)) was begun as \(KVChange.text(of: "\(change.kind)", change.indexes)) and ended as \
      \(KVChange.text(of: "\(kind)", indexes)): it is delivered as it was begun. Brackets of one key must nest, and end with what they \
      began with.
      """
    }
  }

  private var key: InternedKey { (try? TypeInfo.of(object).accessor(name))?.key ?? InternedKey(name) }

  /// Reports a manual change of a key that does not exist.
  private func checkExists() {
    let info = TypeInfo.of(object)
    guard info.kind != .record, ((try? info.accessor(name)) ?? nil) == nil, info.fields(of: object).field(name) == nil
    else { return }
    do throws(KVError) { _ = try Reader.value(ofKey: name, in: object) } catch {
      guard error.code == .undefinedKey else { return }
      KVDiagnostics.report(.warning, .unmatchedChange, KVKeyPath(singleKey: name), object) {
        "a manual change of \(type(of: object)) notifies nobody: \(error)"
      }
    }
  }

  /// The members of a set, or the elements of an array, if all of them are hashable.
  private var members: Set<AnyHashable>? {
    guard let value = (try? Reader.value(ofKey: name, in: object)) ?? nil,
      let elements = try? DynamicCollection.all(of: value)
    else {
      return nil
    }
    var members: Set<AnyHashable> = []
    for element in elements {
      guard let member = element as? AnyHashable else { return nil }
      members.insert(member)
    }
    return members
  }

  /// Returns the elements at indexes; indexes that do not exist are left out, and reported.
  private func elements(at indexes: [Int], _ kind: KVChange.Kind) -> (indexes: [Int], elements: [Any]) {
    guard let value = (try? Reader.value(ofKey: name, in: object)) ?? nil else {
      return (indexes, [])
    }
    guard let elements = try? DynamicCollection.all(of: value) else {
      KVDiagnostics.report(.warning, .unmatchedChange, KVKeyPath(singleKey: name), object) {
        """
        a manual change of "\(name)" of \(type(of: object)) is \(KVChange.text(of: "\(kind)", indexes)), \
        but its value is not a collection: \(withArticle(type(of: value))). Use withChange(forKey:).
        """
      }
      return (indexes, [])
    }
    let existing = indexes.filter { elements.indices.contains($0) }
    if existing.count < indexes.count {
      KVDiagnostics.report(.warning, .unmatchedChange, KVKeyPath(singleKey: name), object) {
        """
        a manual change of "\(name)" of \(type(of: object)) is \(KVChange.text(of: "\(kind)", indexes)), but there are \(elements.count) \
        elements \(kind == .insertion ? "after" : "before") it: indexes that do not exist are left out.
        """
      }
    }
    return (existing, existing.map { asAny(elements[$0]) })
  }
}
