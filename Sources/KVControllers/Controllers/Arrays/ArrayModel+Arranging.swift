import KVBinding
import KVCore
import KVQuery

// Changes of the whole arrangement.
extension ArrayModel {
  /// Returns the update that assigns the content (CTR.13).
  ///
  /// - Parameter selectsAll: Whether all objects are selected then (CTR.15).
  func assignment(_ new: [Element], selectsAll: Bool) -> KeyUpdate {
    let selected = presentedSelectedElements
    let change = arrangement.assign(new)
    return KeyUpdate(changes: [KeyChange(Keys.content), KeyChange(Keys.arrangedObjects)]) { [self] in
      let old = content
      content = new
      state.version += 1
      summary.isRearranged = true
      arrangement.apply(change)
      let arranged = arrangement.elements
      let all = selectsAll ? Array(arranged.indices) : nil
      let indexes = all ?? (state.preservesSelection ? self.indexes(of: selected) : state.selection.indexes)
      state.selection.follow(assigned: indexes, count: arranged.count)
      withExtendedLifetime(old) {}
    }
  }

  /// Returns the update that sets the descriptors (CTR.17).
  ///
  /// - Parameter isStrict: Whether an element that a descriptor fails on makes it throw.
  /// - Throws: ``KVError`` of that element. Nothing has changed then.
  func descriptors(_ descriptors: [KVSortDescriptor], isStrict: Bool) throws(KVError) -> KeyUpdate {
    try rearrangement([Keys.sortDescriptors, Keys.arrangedObjects]) { () throws(KVError) in
      try arrangement.setDescriptors(descriptors, isStrict: isStrict)
    } apply: {
      $0.state.sortDescriptors = descriptors
      $0.summary.isRearranged = true
    }
  }

  /// Returns the update that sets the filter (CTR.17); as ``descriptors(_:isStrict:)``.
  func predicate(_ predicate: KVPredicate?, isStrict: Bool) throws(KVError) -> KeyUpdate {
    try rearrangement([Keys.filterPredicate]) { () throws(KVError) in
      try arrangement.setPredicate(predicate, isStrict: isStrict)
    } apply: {
      $0.state.filterPredicate = predicate
    }
  }

  /// Returns the update that filters and sorts all elements again (CTR.17).
  func rearrangement() -> KeyUpdate { rearrangement { arrangement.rearrange() } }

  /// Returns the update that sets whether elements that change are arranged again; turning it on is followed by
  /// ``rearrangement()`` (CTR.18).
  func automation(_ isAutomatic: Bool) -> KeyUpdate {
    setting(Keys.automaticallyRearrangesObjects) { [self] in
      $0.isAutomatic = isAutomatic
      arrangement.isAutomatic = isAutomatic
    }
  }

  /// Returns the update for a change of the whole arrangement, which the selection follows (CTR.28).
  ///
  /// - Parameters:
  ///   - keys: The keys that are assigned.
  ///   - compute: Computes the change.
  ///   - apply: Changes the state as well.
  private func rearrangement<Failure: Error>(
    _ keys: [InternedKey] = [], _ compute: () throws(Failure) -> ArrangementChange<Element>,
    apply: @escaping (ArrayModel<Element>) -> Void = { _ in }
  ) throws(Failure) -> KeyUpdate {
    // The content indexes of what may be selected afterwards, and of what precedes the selection.
    let sources = (0..<(state.selection.anchor ?? 0)).map { arrangement.sourceIndex(of: $0) }
    let selected = state.selection.indexes.map { arrangement.sourceIndex(of: $0) }
    let sourcesByIndex = Dictionary(uniqueKeysWithValues: zip(state.selection.indexes, selected))
    let change = try compute()
    var changes = keys.map { KeyChange($0) }
    if change.kind == .whole, !keys.contains(Keys.arrangedObjects) { changes.append(KeyChange(Keys.arrangedObjects)) }
    if change.kind == .indexes { changes.append(KeyChange(Keys.arrangedObjects, .insertion)) }
    return KeyUpdate(changes: changes) { [self] in
      apply(self)
      arrangement.apply(change)
      summary.add(change)
      state.version += 1
      let count = arrangement.elements.count
      state.selection.rearrange(count: count, preserves: state.preservesSelection) { index in
        let source = index < sources.count ? sources[index] : sourcesByIndex[index] ?? nil
        return source.flatMap { arrangement.index(ofSource: $0) }
      }
    }
  }
}
