import KVCore

// Changes told by hand (KVO.16): for keys that do not tell by themselves, and for values that change behind their object's
// back. Brackets of one key nest, brackets of different keys may cross; what a setter inside tells is told as well.

extension KVObservable {
  /// Says that the value of a key is about to change; ``didChangeValue(forKey:)`` must follow.
  ///
  /// - Parameter key: The key, or an alias of it. One that nobody observes costs next to nothing.
  public func willChangeValue(forKey key: String) { beginChange(key, .setting, at: nil, members: nil) }

  /// Says that the value of a key has changed.
  ///
  /// Without a ``willChangeValue(forKey:)`` before it nothing is delivered, and a warning is reported (KVO.16).
  ///
  /// - Parameter key: The key, or an alias of it.
  public func didChangeValue(forKey key: String) { endChange(key, .setting, at: nil, members: nil) }

  /// Changes a value within a bracket, which is closed if the body throws, too.
  ///
  /// - Parameters:
  ///   - key: The key, or an alias of it.
  ///   - body: Makes the change.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func withChange<Result, Failure: Error>(
    forKey key: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Whoever begins to observe within the body hears of later changes.
    let isObserved = ObserverRegistrar.existing(of: self) != nil
    if isObserved { willChangeValue(forKey: key) }
    defer { if isObserved { didChangeValue(forKey: key) } }
    return try body()
  }

  /// Says that elements of an array are about to change; ``didChange(_:at:forKey:)`` must follow (TOM.1).
  ///
  /// - Parameters:
  ///   - kind: Whether elements are inserted, removed or replaced.
  ///   - indexes: Their indexes: after an insertion, before a removal.
  ///   - key: The key of the array.
  public func willChange(_ kind: KVChange.Kind, at indexes: some Sequence<Int>, forKey key: String) {
    beginChange(key, kind, at: indexes.sorted(), members: nil)
  }

  /// Says that elements of an array have changed.
  ///
  /// - Parameters:
  ///   - kind: The kind that the change was begun with.
  ///   - indexes: The indexes that it was begun with.
  ///   - key: The key of the array.
  public func didChange(_ kind: KVChange.Kind, at indexes: some Sequence<Int>, forKey key: String) {
    endChange(key, kind, at: indexes.sorted(), members: nil)
  }

  /// Says that members of a set are about to change; ``didChange(_:members:forKey:)`` must follow (TOM.2).
  ///
  /// - Parameters:
  ///   - kind: Whether members are inserted or removed.
  ///   - members: Those that really come or go.
  ///   - key: The key of the set.
  public func willChange(_ kind: KVChange.Kind, members: some Sequence, forKey key: String) {
    beginChange(key, kind, at: nil, members: Array(members))
  }

  /// Says that members of a set have changed.
  ///
  /// - Parameters:
  ///   - kind: The kind that the change was begun with.
  ///   - members: The members that it was begun with.
  ///   - key: The key of the set.
  public func didChange(_ kind: KVChange.Kind, members: some Sequence, forKey key: String) {
    endChange(key, kind, at: nil, members: Array(members))
  }

  /// Changes elements of an array within a bracket, which is closed if the body throws, too (TOM.1).
  ///
  /// ```swift
  /// model.withChange(.insertion, at: [0], forKey: "items") { store.insert(item, at: 0) }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: Whether elements are inserted, removed or replaced.
  ///   - indexes: Their indexes: after an insertion, before a removal.
  ///   - key: The key of the array.
  ///   - body: Makes the change.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; the change is told nevertheless.
  public func withChange<Result, Failure: Error>(
    _ kind: KVChange.Kind, at indexes: some Sequence<Int>, forKey key: String,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard ObserverRegistrar.existing(of: self) != nil else { return try body() }
    let indexes = indexes.sorted()
    willChange(kind, at: indexes, forKey: key)
    defer { didChange(kind, at: indexes, forKey: key) }
    return try body()
  }

  /// Changes members of a set within a bracket, which is closed if the body throws, too (TOM.2).
  ///
  /// - Parameters:
  ///   - kind: Whether members are inserted or removed.
  ///   - members: Those that really come or go.
  ///   - key: The key of the set.
  ///   - body: Makes the change.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; the change is told nevertheless.
  public func withChange<Result, Failure: Error>(
    _ kind: KVChange.Kind, members: some Sequence, forKey key: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard ObserverRegistrar.existing(of: self) != nil else { return try body() }
    let members = Array(members)
    willChange(kind, members: members, forKey: key)
    defer { didChange(kind, members: members, forKey: key) }
    return try body()
  }
}

/// A change that was begun by hand.
struct ManualChange {
  /// Nil where nobody listened.
  let pending: PendingChange?
  let kind: KVChange.Kind
  let indexes: [Int]?
  /// The members of a set, or the elements that go.
  let elements: [Any]?
}

extension KVObservable {
  private func beginChange(_ name: String, _ kind: KVChange.Kind, at indexes: [Int]?, members: [Any]?) {
    guard let registrar = ObserverRegistrar.existing(of: self) else { return }
    let key = manualKey(name)
    let list = registrar.visit(key) { $0.live > 0 }
    let goes = kind == .removal || kind == .replacement
    let elements = members ?? (goes && list != nil ? elements(at: indexes, of: name) : nil)
    let pending = list.map { list in
      withNotice(key, kind, indexes, old: goes ? elements : nil, new: nil) { notice in
        PendingChange(notice, list, registrar)
      }
    }
    let change = ManualChange(pending: pending, kind: kind, indexes: indexes, elements: elements)
    registrar.withExtras { $0.brackets[key, default: []].append(change) }
  }

  /// Ends what was begun last, and tells it as it was begun.
  private func endChange(_ name: String, _ kind: KVChange.Kind, at indexes: [Int]?, members: [Any]?) {
    guard let registrar = ObserverRegistrar.existing(of: self) else { return }
    let key = manualKey(name)
    let change = registrar.withExtras { extras -> ManualChange? in
      let change = extras.brackets[key]?.popLast()
      if extras.brackets[key]?.isEmpty == true { extras.brackets[key] = nil }
      return change
    }
    guard let change else {
      return KVDiagnostics.report(.warning, .unmatchedChange, nil, self) {
        """
        didChangeValue(forKey: "\(name)") of \(type(of: self)) without willChangeValue(forKey:) before it: nothing is \
        delivered. withChange(forKey:) cannot be left unmatched.
        """
      }
    }
    if change.kind != kind || change.indexes != indexes { reportMismatch(name, change, kind, indexes) }
    guard let pending = change.pending else { return }
    let goes = change.kind == .removal || change.kind == .replacement
    let comes = change.kind == .insertion || change.kind == .replacement
    let came = members ?? (change.indexes == nil ? change.elements : elements(at: change.indexes, of: name))
    withNotice(key, change.kind, change.indexes, old: goes ? change.elements : nil, new: comes ? came : nil) { notice in
      pending.finish(notice)
    }
  }

  private func reportMismatch(_ name: String, _ change: ManualChange, _ kind: KVChange.Kind, _ indexes: [Int]?) {
    func text(_ kind: KVChange.Kind, _ indexes: [Int]?) -> String {
      "\(kind)" + (indexes.map { " at \($0.map(String.init).joined(separator: ", "))" } ?? "")
    }
    KVDiagnostics.report(.warning, .unmatchedChange, nil, self) {
      """
      a change of "\(name)" of \(type(of: self)) was begun as \(text(change.kind, change.indexes)) and ended as \
      \(text(kind, indexes)): it is delivered as it was begun. Brackets of one key must nest, and end with what they \
      began with.
      """
    }
  }

  private func manualKey(_ name: String) -> KVKey {
    (try? TypeInfo.of(self).accessor(name))?.key ?? KVKey(name)
  }

  private func elements(at indexes: [Int]?, of name: String) -> [Any] {
    guard let indexes, let value = (try? Reader.value(ofKey: name, in: self)) ?? nil else { return [] }
    let elements = Elements.all(of: value) ?? []
    return indexes.filter { elements.indices.contains($0) }.map { boxed(elements[$0]) }
  }

  private func withNotice<Result>(
    _ key: KVKey, _ kind: KVChange.Kind, _ indexes: [Int]?, old: [Any]?, new: [Any]?,
    _ body: (borrowing KVChangeNotice) -> Result
  ) -> Result {
    withUnsafePointer(to: old ?? []) { oldAddress in
      withUnsafePointer(to: new ?? []) { newAddress in
        body(
          KVChangeNotice(
            object: self, key: key, kind: kind, indexes: indexes, valueType: [Any].self,
            oldAddress: old == nil ? nil : UnsafeRawPointer(oldAddress),
            newAddress: new == nil ? nil : UnsafeRawPointer(newAddress), boxer: Boxer<[Any]>.self))
      }
    }
  }
}
