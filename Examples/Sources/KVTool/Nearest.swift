import KVBinding

/// Finds the name that was meant.
enum Nearest {
  /// Returns ` Did you mean "…"?` with the known name that is nearest to a mistyped one; nothing if none is near.
  static func hint(for name: String, among known: [String]) -> String {
    // The library looks for the nearest key of whatever is read; here that is a value whose keys are the known names.
    guard let path = try? KVKeyPath(components: [.entry(name)]) else { return "" }
    do throws(KVError) {
      _ = try KVC.value(of: Names(names: known), forKeyPath: path)
      return ""
    } catch {
      return error.suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
    }
  }

  private struct Names: CustomReflectable {
    let names: [String]
    var customMirror: Mirror { Mirror(self, children: names.map { (label: $0, value: 0 as Any) }) }
  }
}
