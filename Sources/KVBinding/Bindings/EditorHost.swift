import KVCore

/// The source of a binding that is told which of its bindings have an uncommitted edit (EDT.2).
package protocol EditorHost: AnyObject {
  /// Called when a binding of the host gets an uncommitted edit, and when it has none any more.
  func bindingDidChangeEdit(_ binding: BindingCore, isEditing: Bool)
}

extension BindingCore {
  /// Tells the source whether the binding has an uncommitted edit, if that is news to it.
  func reportEditing() {
    guard options.trigger == .onCommit, let host = source.object as? any EditorHost else { return }
    let isEditing = hasEdit && !isEnded
    let isNews = status.withLock { status in
      defer { status.isReportedEditor = isEditing }
      return status.isReportedEditor != isEditing
    }
    if isNews { host.bindingDidChangeEdit(self, isEditing: isEditing) }
  }
}
