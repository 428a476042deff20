import KVBinding
import KVCore
import KVQuery

extension KVTreeController {
  /// The root objects, in the order of their source (TRC.1).
  ///
  /// Assigning arranges them anew; the nodes of objects that stay remain. Edits that are not committed are committed first;
  /// if that fails, the error is reported and nothing changes (EDT.4).
  ///
  /// - Complexity: O(1); assigning that of sorting.
  public final var content: [Node] {
    get { presentedState.content }
    set { if commitsEditing(beforeSetting: "content") { assign(newValue) } }
  }

  /// The order of the children of each node; empty, as at first, for that of the objects (TRC.3).
  ///
  /// Assigning commits edits (EDT.4), and sorts all levels that have been read. An object that a descriptor fails on comes
  /// last, and is reported (CTR.24); a write by key throws its error, and changes nothing.
  public final var sortDescriptors: [KVSortDescriptor] {
    get { presentedState.sortDescriptors }
    set { if commitsEditing(beforeSetting: "sortDescriptors") { setDescriptors(newValue) } }
  }

  /// Reads and sorts all levels that have been read again, for objects that do not notify (CTR.17).
  ///
  /// Edits are committed before; if that fails, the error is reported, and nothing changes (EDT.4).
  public final func rearrangeObjects() {
    guard commitsEditing(beforeSetting: "arrangedObjects") else { return }
    rearrange { arrangedObjects.rearrange(reloads: true) }
  }

  /// Binds the content to a path of a model, whose array is edited by index from then on, and vice versa (CTR.14).
  ///
  /// The binding is two-way if the path can be set and takes an array, and one-way otherwise; roots can then neither be
  /// added nor removed (CTR.5). A path to a single object makes that the root. A marker or nil is no content.
  ///
  /// - Parameters:
  ///   - path: The path from the model; it may lead through the selection of another controller.
  ///   - model: The model, which is not retained.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The binding, which ends with the controller or the model. A former one of the content is cancelled.
  /// - Throws: ``KVError``, as binding does; `typeMismatch` if the model has other objects; the error of a commit (EDT.4).
  ///   A former binding goes on then.
  @discardableResult
  public final func bindContent(
    to path: some KVKeyPathConvertible, of model: some KVObservable, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    let path = try path.keyPath()
    completeDelivery()
    try commitEditing()
    let acceptsContent = try acceptsContent(path, of: model, elements: Node.self)
    return try replaceContentBinding(by: path, of: model, acceptsContent: acceptsContent, file, line)
  }

  // MARK: By key

  /// Sets the content by key, or by its binding.
  func setKeyedContent(_ content: [Node]) throws(KVError) {
    try commitBeforeKeyedSetting()
    assign(content)
  }

  /// Edits the content by index: on behalf of a view, of the binding, or of a method of the controller.
  func editContent(_ edit: IndexedEdit<Node>) throws(KVError) {
    if !isSetByModel {
      try check(edit.kind == .removal ? allowsRemoval : canAdd, "edit its content")
      try commitEditing()
    }
    self.edit {
      let change = KeyChange(
        Keys.content, edit.kind, at: edit.indexes,
        old: edit.kind.removes ? model.state.content[at: edit.removedIndexes] : nil, new: edit.added)
      setContent(change) {
        edit.apply(to: &$0)
      } roots: {
        $0.make(edit)
      }
    }
  }

  /// Sets the descriptors by key.
  func setKeyedDescriptors(_ descriptors: [KVSortDescriptor]) throws(KVError) {
    try commitEditing()
    if model.state.content.isEmpty { for descriptor in descriptors { try checkKeys(of: descriptor.keyPath) } }
    try arrangedObjects.check(descriptors)
    setDescriptors(descriptors)
  }

  private func assign(_ content: [Node]) {
    rearrange {
      setContent(KeyChange(Keys.content)) {
        $0 = content
      } roots: {
        $0.set(content)
      }
    }
  }

  /// Changes the content, and then the roots, whose handlers may change both again.
  private func setContent(
    _ change: KeyChange, _ body: @escaping (inout [Node]) -> Void, roots changeRoots: (TreeRoots<Node>) -> Void
  ) {
    let isNested = isFollowingModel
    if isNested { hasOtherRoots = true } else { isFollowingModel = isSetByModel }
    defer { isFollowingModel = isNested }
    perform {
      KeyUpdate(changes: [change]) { [model] in model.change { body(&$0.content) } }
    }
    changeRoots(model.roots)
  }

  private func setDescriptors(_ descriptors: [KVSortDescriptor]) {
    rearrange {
      perform {
        KeyUpdate(changes: [KeyChange(Keys.sortDescriptors)]) { [model] in
          model.change { $0.sortDescriptors = descriptors }
        }
      }
      arrangedObjects.rearrange(reloads: false)
    }
  }

  /// Makes a change of whole levels: the same objects stay selected, or else the same index paths (CTR.28).
  private func rearrange(_ body: () -> Void) {
    edit {
      let paths = model.state.paths
      body()
      if !preservesSelection, !paths.isEmpty { selectNow(nodes(at: paths)) }
    }
  }
}
