import KVBinding
import KVCore

extension KVArrayController {
  /// The order of ``arrangedObjects``; empty, as at first, for that of the content.
  ///
  /// Assigning commits edits (CTR.43), and rearranges (CTR.17). An element that a descriptor fails on comes last; the
  /// error is reported through ``KVDiagnostics``, and the first one is ``arrangementError`` (CTR.24). A write by key throws
  /// the error instead, and changes nothing.
  public final var sortDescriptors: [KVSortDescriptor] {
    get { visible.sortDescriptors }
    set { if commitsEditing(beforeSetting: "sortDescriptors") { try? setDescriptors(newValue, isStrict: false) } }
  }

  /// The filter of ``arrangedObjects``; nil, as at first, for none.
  ///
  /// Assigning commits edits (CTR.43), and rearranges (CTR.17). An element that the predicate fails on is hidden; otherwise
  /// errors are as those of ``sortDescriptors``.
  public final var filterPredicate: KVPredicate? {
    get { visible.filterPredicate }
    set { if commitsEditing(beforeSetting: "filterPredicate") { try? setPredicate(newValue, isStrict: false) } }
  }

  /// Whether the key paths of the descriptors and of the filter are observed on each element, so that a change moves,
  /// shows or hides it (CTR.18).
  ///
  /// Turning it on rearranges.
  public final var automaticallyRearrangesObjects: Bool {
    get { visible.isAutomatic }
    set { setAutomatic(newValue) }
  }

  /// Filters and sorts all objects again (CTR.17).
  ///
  /// Edits are committed before; if that fails, the error is reported, and nothing changes (CTR.43).
  ///
  /// - Complexity: O(*n*) evaluations and O(*n* log *n*) comparisons.
  public final func rearrangeObjects() {
    guard commitsEditing(beforeSetting: "arrangedObjects") else { return }
    update { rearrange { arrangement.rearrange() } }
  }

  /// Sets the descriptors by key; throws the error of a commit, or of an element.
  func setKeyedDescriptors(_ descriptors: [KVSortDescriptor]) throws(KVError) {
    try commitEditing()
    try setDescriptors(descriptors, isStrict: true)
  }

  /// Sets the filter by key; throws the error of a commit, or of an element.
  func setKeyedPredicate(_ predicate: KVPredicate?) throws(KVError) {
    try commitEditing()
    try setPredicate(predicate, isStrict: true)
  }

  func setDescriptors(_ descriptors: [KVSortDescriptor], isStrict: Bool) throws(KVError) {
    try checkKeys(of: descriptors.map(\.keyPath), isStrict)
    try update { () throws(KVError) in
      try rearrange([Keys.sortDescriptors, Keys.arrangedObjects]) { () throws(KVError) in
        try arrangement.setDescriptors(descriptors, isStrict: isStrict)
      } apply: {
        $0.current.sortDescriptors = descriptors
        $0.composite.hasRearranged = true
      }
    }
  }

  func setPredicate(_ predicate: KVPredicate?, isStrict: Bool) throws(KVError) {
    try checkKeys(of: predicate?.keyPaths.sorted() ?? [], isStrict)
    try update { () throws(KVError) in
      try rearrange([Keys.filterPredicate]) { () throws(KVError) in
        try arrangement.setPredicate(predicate, isStrict: isStrict)
      } apply: {
        $0.current.filterPredicate = predicate
      }
    }
  }

  /// Checks what a descriptor or the filter reads while there is no element that could fail (CTR.24).
  private func checkKeys(of paths: [KVKeyPath], _ isStrict: Bool) throws(KVError) {
    guard currentContent.isEmpty else { return }
    for path in paths {
      do throws(KVError) { try checkKeys(of: path) } catch {
        let located = error.located(path: path.description, root: "\(elementType)")
        if isStrict { throw located }
        reportFailure(located)
      }
    }
  }

  private func setAutomatic(_ isAutomatic: Bool) {
    update {
      let turnsOn = isAutomatic && !current.isAutomatic
      perform {
        KeyUpdate(changes: [KeyChange(Keys.automaticallyRearrangesObjects)]) { [self] in
          current.isAutomatic = isAutomatic
          current.version += 1
          arrangement.isAutomatic = isAutomatic
        }
      }
      if turnsOn { rearrange { arrangement.rearrange() } }
      observeElements()
    }
  }

  /// Makes a change of the whole arrangement, and lets the selection follow it (CTR.28).
  ///
  /// It is called within `update(_:)`.
  ///
  /// - Parameters:
  ///   - keys: The keys that are assigned.
  ///   - compute: Computes the change.
  ///   - apply: Changes the state as well.
  func rearrange<Failure: Error>(
    _ keys: [KVKey] = [], _ compute: () throws(Failure) -> ArrangementChange<Element>,
    apply: @escaping (KVArrayController<Element>) -> Void = { _ in }
  ) throws(Failure) {
    try perform { () throws(Failure) -> KeyUpdate? in
      // The content indexes of what may be selected afterwards, and of what precedes the selection.
      let sources = (0..<(current.selection.place ?? 0)).map { arrangement.sourceIndex(of: $0) }
      let selected = current.selection.indexes.map { arrangement.sourceIndex(of: $0) }
      let places = Dictionary(uniqueKeysWithValues: zip(current.selection.indexes, selected))
      let change = try compute()
      var changes = keys.map { KeyChange($0) }
      if change.kind == .whole, !keys.contains(Keys.arrangedObjects) { changes.append(KeyChange(Keys.arrangedObjects)) }
      if change.kind == .indexes { changes.append(KeyChange(Keys.arrangedObjects, .insertion)) }
      return KeyUpdate(changes: changes) { [self] in
        apply(self)
        arrangement.apply(change)
        record(change)
        current.version += 1
        let count = arrangement.elements.count
        current.selection.rearrange(count: count, preserves: current.preservesSelection) { index in
          let source = index < sources.count ? sources[index] : places[index] ?? nil
          return source.flatMap { arrangement.index(ofSource: $0) }
        }
      }
    }
    if keys.isEmpty { return }
    observeElements()
  }
}
