import KVControllers

/// An editor of array controllers that counts what it commits, and may refuse to.
final class EditingField: KVObject, KVEditor {
  struct Refusal: Error {}

  var refuses = false
  private(set) var commits = 0

  func commitEditing() throws {
    if refuses { throw Refusal() }
    commits += 1
  }

  func discardEditing() throws {}
}
