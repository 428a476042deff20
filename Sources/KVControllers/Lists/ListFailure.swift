import KVBinding
import KVCore

/// The errors of lists.
enum ListFailure {
  static func notPermitted(_ verb: String, _ index: Int, in section: any KVListSection, _ cure: String) -> KVError {
    KVError(.unsupported, "row \(index) of \(title(of: section)) may not be \(verb). \(cure)")
  }

  static func noSource(_ section: any KVListSection) -> KVError {
    KVError(.unsupported, "\(title(of: section)) observes nothing, or what it observed is gone; call observe(_:of:).")
  }

  static func noCollection(_ path: KVKeyPath, _ value: Any, of root: Any.Type) -> KVError {
    KVError(
      .unsupported, "\"\(path)\" has no rows: \(describe(value)) is not an array or a set. Observe a to-many path.",
      keyPath: path.description, rootType: "\(root)")
  }

  static func noRow(_ index: Int, _ path: KVKeyPath, _ failure: CoercionFailure, of root: Any.Type) -> KVError {
    KVError(
      failure.code,
      "row \(index) of \"\(path)\" cannot be made: \(failure.reason). Let the closure of the section take what is there.",
      keyPath: path.description, rootType: "\(root)")
  }

  private static func title(of section: any KVListSection) -> String {
    section.title.map { "the section \"\($0)\"" } ?? "a section"
  }
}
