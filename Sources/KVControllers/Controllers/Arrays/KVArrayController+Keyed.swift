import KVBinding
import KVCore

// The content as it is set and edited by key, and by the model that it is bound to.
extension KVArrayController {
  /// Sets the content by key, or by its binding.
  ///
  /// - Throws: ``KVError``: the error of a commit. Nothing has changed then.
  func setKeyedContent(_ content: [Element]) throws(KVError) {
    try commitBeforeKeyedSetting()
    assign(content)
  }

  /// Edits the content by index: on behalf of a view, or of the binding.
  ///
  /// The indexes were checked before. A handler that ran in between may have changed the content again: what does not exist
  /// any more is left out.
  func editContent(_ edit: IndexedEdit<Element>) throws(KVError) {
    // What the caller finds, if that is not the present content.
    let seen = isHalfDelivered || isEditing && !isSetByModel ? content : nil
    completeDelivery()
    if !isSetByModel {
      try check(canAdd, "edit its content")
      try commitEditing()
    }
    make {
      let (indexes, count) = (edit.indexes, model.content.count)
      if edit.kind == .insertion {
        let insertion = ArrayModel.insertion(of: edit.added ?? [], at: indexes, in: seen, to: model.content)
        return model.insertion(of: insertion.objects, at: insertion.indexes.enumerated().map { min($1, count + $0) })
      }
      let present: [Int?] =
        seen.map { ArrayModel.follow(indexes, in: $0, to: model.content, keepsValues: true) } ?? indexes
      return edit.kind == .removal
        ? model.removal(at: present.compactMap { $0.flatMap { $0 < count ? $0 : nil } })
        : model.replacement(at: present, with: edit.added ?? [])
    }
  }

  // MARK: Errors

  func outOfRange(_ index: Int, _ count: Int, _ hint: String = "") -> KVError {
    KVError(
      .indexOutOfRange, "the index \(index) is out of range: there are \(count) arranged objects.\(hint)",
      rootType: "\(type(of: self))")
  }
}
