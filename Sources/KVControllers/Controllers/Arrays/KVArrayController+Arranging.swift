import KVBinding
import KVCore
import KVQuery

extension KVArrayController {
  /// The order of ``arrangedObjects``; empty, as at first, for that of the content.
  ///
  /// Assigning commits edits (EDT.4), and rearranges (CTR.17). An element that a descriptor fails on comes last; the
  /// error is reported through ``KVDiagnostics``, and the first one is ``arrangementError`` (CTR.24). A write by key throws
  /// the error instead, and changes nothing.
  public final var sortDescriptors: [KVSortDescriptor] {
    get { model.presentedState.sortDescriptors }
    set { if commitsEditing(beforeSetting: "sortDescriptors") { try? setDescriptors(newValue, isStrict: false) } }
  }

  /// The filter of ``arrangedObjects``; nil, as at first, for none.
  ///
  /// Assigning commits edits (EDT.4), and rearranges (CTR.17). An element that the predicate fails on is hidden; otherwise
  /// errors are as those of ``sortDescriptors``.
  public final var filterPredicate: KVPredicate? {
    get { model.presentedState.filterPredicate }
    set { if commitsEditing(beforeSetting: "filterPredicate") { try? setPredicate(newValue, isStrict: false) } }
  }

  /// Whether the key paths of the descriptors and of the filter are observed on each element, so that a change moves,
  /// shows or hides it (CTR.18).
  ///
  /// Turning it on rearranges.
  public final var automaticallyRearrangesObjects: Bool {
    get { model.presentedState.isAutomatic }
    set {
      update {
        let isTurnedOn = newValue && !model.state.isAutomatic
        make { model.automation(newValue) }
        if isTurnedOn { make { model.rearrangement() } }
        observeElements()
      }
    }
  }

  /// Filters and sorts all objects again (CTR.17).
  ///
  /// Edits are committed before; if that fails, the error is reported, and nothing changes (EDT.4).
  ///
  /// - Complexity: O(*n*) evaluations and O(*n* log *n*) comparisons.
  public final func rearrangeObjects() {
    guard commitsEditing(beforeSetting: "arrangedObjects") else { return }
    update { make { model.rearrangement() } }
  }

  /// Sets the descriptors.
  ///
  /// - Parameter isStrict: Whether they are set by key: edits are committed, and the error of a commit or of an element is
  ///   thrown.
  func setDescriptors(_ descriptors: [KVSortDescriptor], isStrict: Bool) throws(KVError) {
    if isStrict { try commitEditing() }
    try checkKeys(of: descriptors.map(\.keyPath), isStrict)
    try arrange { () throws(KVError) in try model.descriptors(descriptors, isStrict: isStrict) }
  }

  /// Sets the filter; as ``setDescriptors(_:isStrict:)``.
  func setPredicate(_ predicate: KVPredicate?, isStrict: Bool) throws(KVError) {
    if isStrict { try commitEditing() }
    try checkKeys(of: predicate?.keyPaths.sorted() ?? [], isStrict)
    try arrange { () throws(KVError) in try model.predicate(predicate, isStrict: isStrict) }
  }

  /// Makes an edit after which other elements, or other key paths of them, are observed.
  func arrange(_ edit: () throws(KVError) -> KeyUpdate) throws(KVError) {
    try update { () throws(KVError) in
      try make(edit)
      observeElements()
    }
  }

  /// Checks what a descriptor or the filter reads while there is no element that could fail (CTR.24).
  private func checkKeys(of paths: [KVKeyPath], _ isStrict: Bool) throws(KVError) {
    guard model.content.isEmpty else { return }
    for path in paths {
      do throws(KVError) { try checkKeys(of: path) } catch {
        let located = error.located(path: path.description, root: "\(elementType)")
        if isStrict { throw located }
        reportFailure(located)
      }
    }
  }
}
