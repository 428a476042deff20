import KVBinding
import KVCore

extension KVController: KVEditor {
  /// Registers an editor with an uncommitted edit; the editor is not retained (EDT.1).
  ///
  /// - Parameter editor: The editor. Registering it again keeps its place in the order of registration.
  public final func beginEditing(_ editor: some KVEditor) {
    changeEditors { editors in
      if !editors.contains(where: { $0.id == ObjectIdentifier(editor) }) { editors.append(Editor(editor)) }
    }
  }

  /// Removes an editor, which has no uncommitted edit any more (EDT.1).
  ///
  /// - Parameter editor: The editor; it is ignored if it is not registered.
  public final func endEditing(_ editor: some KVEditor) {
    changeEditors { $0.removeAll { $0.id == ObjectIdentifier(editor) } }
  }

  /// Changes the editors; if an update is half delivered, after it, so that its end does not bring the former ones back.
  private func changeEditors(_ change: (inout [Editor]) -> Void) {
    perform { () -> KeyUpdate? in
      let wasEditing = isEditing
      var editors = editors.filter { $0.editor != nil }
      change(&editors)
      if wasEditing == !editors.isEmpty {
        self.editors = editors
        return nil
      }
      return KeyUpdate(changes: [KeyChange(Keys.isEditing)]) { self.editors = editors }
    }
    reportEditing()
  }

  /// Lets the controller be an editor of the one whose selection it edits, while it has editors itself (EDT.2).
  final func reportEditing() {
    let host = isEditing ? contentHost : nil
    if host === editedController { return }
    let previous = editedController
    editedController = host
    previous?.endEditing(self)
    host?.beginEditing(self)
  }

  /// Commits the edits of all editors in the order of their registration (EDT.3).
  ///
  /// - Throws: ``KVError`` of the first editor that fails; another error is the cause of a `custom` one. The editors behind
  ///   it are not asked.
  public final func commitEditing() throws(KVError) {
    // Controllers may be editors of each other.
    if isEndingEdits { return }
    isEndingEdits = true
    defer { isEndingEdits = false }
    for editor in editors { try request(editor, "committed") { try $0.commitEditing() } }
  }

  /// Discards the edits of all editors (EDT.3).
  ///
  /// - Throws: The first error, as ``commitEditing()``. All editors have been asked nevertheless.
  public final func discardEditing() throws(KVError) {
    if isEndingEdits { return }
    isEndingEdits = true
    defer { isEndingEdits = false }
    var failure: KVError?
    for editor in editors {
      do throws(KVError) { try request(editor, "discarded") { try $0.discardEditing() } } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Commits all edits before a key is set, unless a binding sets it: what the model does cannot be prevented, and an edit is
  /// committed to the object for which it was made (BND.13, EDT.4).
  final func commitBeforeKeyedSetting() throws(KVError) { if !isSetByModel { try commitEditing() } }

  private func request(_ editor: Editor, _ action: String, _ body: (any KVEditor) throws -> Void) throws(KVError) {
    guard let editor = editor.editor else { return }
    try wrapping("an edit of \(type(of: editor)) cannot be \(action)") { try body(editor) }
  }

  /// Calls code of the program; its error is the cause of a `custom` one, unless it is a ``KVError``.
  final func wrapping<Result>(
    _ sentence: @autoclosure () -> String, _ body: () throws -> Result
  ) throws(KVError) -> Result {
    do { return try body() } catch {
      if let error = error as? KVError { throw error }
      throw KVError(.custom, "\(sentence()): \(error)", rootType: "\(type(of: self))", underlying: error)
    }
  }

  /// Creates an object by the closure that a controller was created with (CTR.4).
  ///
  /// - Parameters:
  ///   - make: The closure.
  ///   - name: The name of the controller's class, for the error.
  /// - Throws: ``KVError`` (`unsupported`) if there is no closure.
  final func newObject<Object>(by make: (() -> Object)?, _ name: String) throws(KVError) -> Object {
    if let make { return make() }
    throw KVError(
      .unsupported,
      """
      \(type(of: self)) cannot create a \(Object.self): create the controller with a closure, as in \
      \(name) { \(Object.self)() }, override newObject(), or add an object that exists.
      """, rootType: "\(type(of: self))")
  }

  /// Creates an object by `newObject()`; the error of an override is wrapped.
  final func created<Object>(by newObject: () throws -> Object) throws(KVError) -> Object {
    try wrapping("newObject() of \(type(of: self)) has failed", newObject)
  }

  /// Commits all edits before an assignment, which cannot throw; a failure is reported (CTR.27, EDT.4).
  ///
  /// - Parameter name: The key that is assigned.
  /// - Returns: Whether the assignment can be made.
  final func commitsEditing(beforeSetting name: String) -> Bool {
    do { try commitEditing() } catch {
      KVDiagnostics.report(.error, .binding, KVKeyPath(singleKey: name), self) {
        """
        "\(name)" of \(type(of: self)) is not set, since an edit cannot be committed: \(error). Call commitEditing() first, \
        which throws the error, or discardEditing().
        """
      }
      return false
    }
    return true
  }
}

extension KVController: EditorHost {
  package final func bindingDidChangeEdit(_ binding: BindingCore, isEditing: Bool) {
    if isEditing { beginEditing(binding) } else { endEditing(binding) }
  }
}

extension BindingCore: KVEditor {
  package func commitEditing() throws(KVError) { try commit() }
  package func discardEditing() throws(KVError) { try discard() }
}
