import KVBinding
import KVCore

extension KVUndoManager {
  /// The first change of a step, from which ``stepName`` makes its name (UND.9).
  public struct Step {
    /// The kind of the first change.
    public let kind: KVChangeKind
    /// The key of the first change.
    public let key: String
    /// The metadata `displayName` of the key, or the words of the key: `release date` for `releaseDate`.
    public let displayName: String
    /// The metadata `elementName` of the key, or the singular of the display name: `song` for `songs`.
    public let elementName: String
    /// The number of elements that changes of this kind and key add, remove or replace; 1 for a setting.
    public let count: Int

    /// The English name: `Change title`, `Add song`, `Remove 3 songs`.
    public var name: String {
      let elements = count == 1 ? elementName : "\(count) \(displayName)"
      return switch kind {
      case .setting, .replacement: "Change \(displayName)"
      case .insertion: "Add \(elements)"
      case .removal: "Remove \(elements)"
      }
    }

    /// Describes a step; nil if it does not begin with a change of a key.
    init?(_ step: UndoStep) {
      guard let first = step.edits.first, let firstKey = first.key else { return nil }
      kind = first.kind
      key = firstKey.id.key.name
      let keys = firstKey.object.flatMap { try? KVC.keys(of: $0) }
      let metadata = keys?.first { [key] in $0.name == key }?.metadata
      displayName = metadata?["displayName"] as? String ?? Self.words(of: key)
      elementName = metadata?["elementName"] as? String ?? Self.singular(of: displayName)
      let same = step.edits.filter { $0.key === firstKey && $0.kind == first.kind }
      count = first.kind == .setting ? 1 : same.reduce(0) { $0 + $1.elementCount }
    }

    private static func words(of key: String) -> String {
      let letters = Array(key)
      var words = ""
      for (index, letter) in letters.enumerated() {
        let follows = index > 0 && letters[index - 1].isUppercase
        let next = index + 1 < letters.count ? letters[index + 1] : nil
        // A word of several capitals is an abbreviation: "HTML" of "isHTMLText".
        let endsAbbreviation = follows && next?.isLowercase != true
        let isAbbreviation = next?.isUppercase == true || endsAbbreviation
        if letter.isUppercase, index > 0, !follows || next?.isLowercase == true { words += " " }
        words += letter.isUppercase && !isAbbreviation ? letter.lowercased() : String(letter)
      }
      return words
    }

    private static func singular(of name: String) -> String {
      if name.hasSuffix("ies") { return name.dropLast(3) + "y" }
      let takesES = ["sses", "xes", "ches", "shes", "zzes"].contains { name.hasSuffix($0) }
      if takesES { return String(name.dropLast(2)) }
      return name.hasSuffix("s") && !name.hasSuffix("ss") ? String(name.dropLast()) : name
    }
  }
}

extension UndoEdit {
  /// The number of elements that are inserted, removed or replaced.
  fileprivate var elementCount: Int {
    indexes?.count ?? max(DynamicCollection.count(of: old), DynamicCollection.count(of: new))
  }
}
