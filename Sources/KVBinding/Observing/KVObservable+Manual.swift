import KVCore

// Manual changes (KVO.16), of keys without automatic notification and of values that change without their object.
// Brackets of one key nest; brackets of different keys may overlap. Setters within a bracket notify of their changes as
// well.

extension KVObservable {
  /// Begins a manual change of a key; ``didChangeValue(forKey:)`` must follow (KVO.16).
  ///
  /// - Parameter key: The key, or an alias of it. A key without observers costs next to nothing.
  public func willChangeValue(forKey key: String) { beginChange(key, .setting, at: nil, members: nil) }

  /// Ends a manual change of a key, and notifies its observers.
  ///
  /// Without a preceding ``willChangeValue(forKey:)`` nothing is delivered and a warning is reported (KVO.16).
  ///
  /// - Parameter key: The key, or an alias of it.
  public func didChangeValue(forKey key: String) { endChange(key, .setting, at: nil, members: nil) }

  /// Makes a manual change of a key, which also ends if the body throws (KVO.16).
  ///
  /// - Parameters:
  ///   - key: The key, or an alias of it.
  ///   - body: A closure that makes the change.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body. Observers are notified nevertheless.
  public func withChange<Result, Failure: Error>(
    forKey key: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Observers that are registered within the body receive later changes only.
    let isObserved = ObserverRegistrar.existing(of: self) != nil
    if isObserved { willChangeValue(forKey: key) }
    defer { if isObserved { didChangeValue(forKey: key) } }
    return try body()
  }

  /// Begins a manual change of elements of an array; ``didChange(_:at:forKey:)`` must follow (TOM.1).
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion, removal or replacement.
  ///   - indexes: The indexes of the elements: after an insertion, before a removal.
  ///   - key: The key of the array.
  public func willChange(_ kind: KVChange.Kind, at indexes: some Sequence<Int>, forKey key: String) {
    beginChange(key, kind, at: indexes.sorted(), members: nil)
  }

  /// Ends a manual change of elements of an array, and notifies the observers of its key.
  ///
  /// - Parameters:
  ///   - kind: The kind that the change began with.
  ///   - indexes: The indexes that the change began with.
  ///   - key: The key of the array.
  public func didChange(_ kind: KVChange.Kind, at indexes: some Sequence<Int>, forKey key: String) {
    endChange(key, kind, at: indexes.sorted(), members: nil)
  }

  /// Begins a manual change of members of a set; ``didChange(_:members:forKey:)`` must follow (TOM.2).
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion or removal.
  ///   - members: The members that are really added or removed.
  ///   - key: The key of the set.
  public func willChange(_ kind: KVChange.Kind, members: some Sequence, forKey key: String) {
    beginChange(key, kind, at: nil, members: Array(members))
  }

  /// Ends a manual change of members of a set, and notifies the observers of its key.
  ///
  /// - Parameters:
  ///   - kind: The kind that the change began with.
  ///   - members: The members that the change began with.
  ///   - key: The key of the set.
  public func didChange(_ kind: KVChange.Kind, members: some Sequence, forKey key: String) {
    endChange(key, kind, at: nil, members: Array(members))
  }

  /// Makes a manual change of elements of an array, which also ends if the body throws (TOM.1).
  ///
  /// ```swift
  /// model.withChange(.insertion, at: [0], forKey: "items") { store.insert(item, at: 0) }
  /// ```
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion, removal or replacement.
  ///   - indexes: The indexes of the elements: after an insertion, before a removal.
  ///   - key: The key of the array.
  ///   - body: A closure that makes the change.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body. Observers are notified nevertheless.
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

  /// Makes a manual change of members of a set, which also ends if the body throws (TOM.2).
  ///
  /// - Parameters:
  ///   - kind: The kind of the change: insertion or removal.
  ///   - members: The members that are really added or removed.
  ///   - key: The key of the set.
  ///   - body: A closure that makes the change.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body. Observers are notified nevertheless.
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

/// A manual change that has begun.
struct ManualChange {
  /// `nil` if the key had no observers.
  let pending: PendingChange?
  let kind: KVChange.Kind
  let indexes: [Int]?
  /// The members of a set, or the removed elements.
  let elements: [Any]?
}

extension KVObservable {
  private func beginChange(_ name: String, _ kind: KVChange.Kind, at indexes: [Int]?, members: [Any]?) {
    guard let registrar = ObserverRegistrar.existing(of: self) else { return }
    let key = manualKey(name)
    let list = registrar.beginIteration(of: key) { $0.live > 0 }
    let goes = kind == .removal || kind == .replacement
    let elements = members ?? (goes && list != nil ? elements(at: indexes, of: name) : nil)
    let pending = list.map { list in
      _KVChangeNotice.with(
        key, of: self, kind, at: indexes, from: elements ?? [], to: [], hasOld: goes && elements != nil, hasNew: false
      ) { notice in
        PendingChange(notice, list, registrar)
      }
    }
    let change = ManualChange(pending: pending, kind: kind, indexes: indexes, elements: elements)
    registrar.withRareState { $0.brackets[key, default: []].append(change) }
  }

  /// Ends the change that began last, and delivers it with the kind and indexes that it began with.
  private func endChange(_ name: String, _ kind: KVChange.Kind, at indexes: [Int]?, members: [Any]?) {
    guard let registrar = ObserverRegistrar.existing(of: self) else { return }
    let key = manualKey(name)
    let change = registrar.withRareState { rareState -> ManualChange? in
      let change = rareState.brackets[key]?.popLast()
      if rareState.brackets[key]?.isEmpty == true { rareState.brackets[key] = nil }
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
    _KVChangeNotice.with(
      key, of: self, change.kind, at: change.indexes, from: change.elements ?? [], to: came ?? [],
      hasOld: goes && change.elements != nil, hasNew: comes && came != nil
    ) { pending.finish($0) }
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
    return indexes.filter { elements.indices.contains($0) }.map { asAny(elements[$0]) }
  }
}
