import KVBinding
import KVCore

/// The errors of lists.
enum ListFailure {
  static func notPermitted(_ verb: String, _ index: Int, in section: any KVListSection) -> KVError {
    let cure =
      section is any ObservingSection
      ? "Set \(verb == "moved" ? "isMovable" : "isEditable") of the section, or override \(verb == "moved" ? "canMove" : "canEdit")(at:)."
      : "Implement \(verb == "moved" ? "canMove(at:) and moveRow(at:to:)" : "canEdit(at:) and removeRow(at:)")."
    return KVError(.unsupported, "row \(index) of \(title(of: section)) may not be \(verb). \(cure)")
  }

  static func noSource(_ section: any KVListSection) -> KVError {
    KVError(.unsupported, "\(title(of: section)) observes nothing, or what it observed is gone; call observe(_:of:).")
  }

  static func noCollection(_ path: KVKeyPath, _ value: Any, of root: Any) -> KVError {
    KVError(
      .unsupported, "\"\(path)\" has no rows: \(describe(value)) is not an array or a set. Observe a to-many path.",
      keyPath: path.description, rootType: "\(type(of: root))")
  }

  static func noRow(_ index: Int, _ path: KVKeyPath, _ failure: CoercionFailure, of root: Any) -> KVError {
    KVError(
      failure.code,
      "row \(index) of \"\(path)\" cannot be made: \(failure.reason). Let the closure of the section take what is there.",
      keyPath: path.description, rootType: "\(type(of: root))")
  }

  static func doesNotSettle(_ path: KVKeyPath, of root: Any) -> KVError {
    KVError(
      .doesNotSettle,
      """
      the rows of "\(path)" do not come to rest: making them changed the collection five times. Let the closure of the \
      section change it less often, or not at all.
      """, keyPath: path.description, rootType: "\(type(of: root))")
  }

  private static func title(of section: any KVListSection) -> String {
    section.title.map { "the section \"\($0)\"" } ?? "a section"
  }
}

/// A marker that distinguishes observing sections from others, whatever their type of rows is.
protocol ObservingSection: AnyObject {}
