import KVCore

/// A transformer that an editor of definitions offers.
public struct KVTransformerChoice: Sendable, Hashable {
  /// The name, as definitions hold it; empty for none at all.
  public let name: String
  /// What a person reads.
  public let title: String
  /// Whether it works both ways.
  public let isReversible: Bool

  /// The choices: none, those that the original editor offers, and all others that are registered now, sorted by name.
  ///
  /// An editor adds a field for names that the program will register later.
  public static var all: [KVTransformerChoice] {
    let titles = [
      ("", "None"), ("negateBoolean", "Negate Boolean"), ("isNil", "Is source nil?"),
      ("isNotNil", "Is source not nil?"),
    ]
    let known = Set(titles.map(\.0))
    let others = KVTransformer.registeredNames.filter { !known.contains($0) }.map { ($0, $0) }
    return (titles + others).map { name, title in
      let transformer = try? KVTransformer.named(name)
      return KVTransformerChoice(name: name, title: title, isReversible: transformer?.isReversible ?? name.isEmpty)
    }
  }
}
