import KVBinding
import KVCore

/// An object in which a user edits a value before it is committed to a model (EDT.1).
///
/// A binding with the option `trigger: .onCommit` whose source is a controller is an editor of the controller while it has
/// an uncommitted edit (EDT.2). Other editors register themselves with ``KVController/beginEditing(_:)``. A controller is
/// an editor itself, of the controller whose selection it edits.
public protocol KVEditor: AnyObject {
  /// Writes the edit to the model.
  ///
  /// - Throws: Why the edit cannot be written. The editor still has it then.
  func commitEditing() throws

  /// Gives the edit up, and shows the value of the model.
  ///
  /// - Throws: Why the value cannot be shown.
  func discardEditing() throws
}
