import KVBinding
import KVCore

/// The recorded keys of an object, and those that lead to further objects.
final class UndoRule {
  /// A key, or a key path through further objects.
  struct Name: Equatable {
    let text: String
    /// The rule of the objects that the key of this name leads to; nil if it is only recorded.
    let rule: UndoRule?
    /// The first key of a path, and the rule of the objects that it leads to; nil for a single key.
    let step: (key: String, rule: UndoRule)?

    /// - Parameters:
    ///   - text: The name of a key, or the text of a path of keys.
    ///   - rule: The rule of the objects that the last key leads to; nil if it is only recorded.
    init(_ text: String, to rule: UndoRule? = nil) {
      (self.text, self.rule) = (text, rule)
      let keys = Self.keys(of: text)
      step =
        keys.count < 2
        ? nil
        : (
          keys[0],
          keys.dropFirst().dropLast().reversed().reduce(UndoRule([Name(key: keys[keys.count - 1], rule)])) {
            UndoRule([Name(key: $1, $0)])
          }
        )
    }

    private init(key: String, _ rule: UndoRule?) { (text, self.rule, step) = (key, rule, nil) }

    /// Returns the keys of a path; none if it has other components.
    private static func keys(of text: String) -> [String] {
      guard let path = try? KVKeyPath(text) else { return [] }
      let keys = path.keyNames
      return keys.count == path.count ? keys : []
    }

    /// The path follows from the text.
    static func == (left: Name, right: Name) -> Bool { left.text == right.text && left.rule == right.rule }
  }

  /// The recorded keys; nil for all that are recorded by default, also those that a record gets later.
  let names: [Name]?
  /// The keys that lead to objects of the same rule; in records, records need no name.
  let relationships: Set<String>
  /// Whether the key that leads to the objects must have a collection of observable objects.
  let isOfElements: Bool
  /// The relationships that no object has had as a key, and the types whose keys were compared with them.
  private var unmatched: Set<String>
  private var typesCompared: Set<ObjectIdentifier> = []
  /// The relationships that lead to objects, and those that may.
  private var leading: Set<String> = []
  private var open: Set<String> = []
  /// The errors of the others, while the objects are read that the tree has at first; nil afterwards.
  private var deadEnds: [String: KVError]? = [:]
  /// The keys whose errors were reported, each with the type of the object.
  private var deadEndsReported: Set<String> = []

  init(_ names: [Name]?, relationships: [String] = [], isOfElements: Bool = false) {
    self.names = names
    self.relationships = Set(relationships)
    self.isOfElements = isOfElements
    unmatched = self.relationships
  }

  /// Returns the keys of an object that are named as relationships.
  func relationships(among keys: [KVKeyDescription]) -> [KVKeyDescription] {
    if relationships.isEmpty { return [] }
    return keys.filter { relationships.contains($0.name) || !relationships.isDisjoint(with: $0.aliases) }
  }

  /// Returns relationships that no object has had as a key, while one of this type has a key of a similar name.
  func mistyped(
    _ keys: [KVKeyDescription], of type: any KVObservable.Type
  ) -> [(name: String, suggestion: String)] {
    guard !unmatched.isEmpty, typesCompared.insert(ObjectIdentifier(type)).inserted else { return [] }
    unmatched.subtract(keys.flatMap { [$0.name] + $0.aliases })
    let others = keys.map(\.name).filter { !relationships.contains($0) }
    return unmatched.sorted().compactMap { name in
      Suggestion.nearest(to: name, among: others).map { (name, $0) }
    }
  }
}

// Relationships that lead nowhere.
extension UndoRule {
  /// Notes that a relationship leads to objects, or can lead to nothing else.
  func noteLead(_ name: String) { leading.insert(name) }

  /// Notes that a relationship leads nowhere now, and to anything later.
  func noteOpenEnd(_ name: String) { open.insert(name) }

  /// Notes that a key leads to no objects.
  ///
  /// - Parameter isCertain: Whether the declared type of the key tells.
  /// - Returns: The error to report; nil if the relationship leads to objects elsewhere, if the error was reported, or if
  ///   ``endBeginning()`` throws it.
  func deadEnd(_ name: String, of object: AnyClass, _ value: Any.Type, isCertain: Bool) -> KVError? {
    if leading.contains(name) { return nil }
    let error = KVError(
      .unsupported,
      """
      the relationship "\(shortened(name))" leads to no objects: the "\(shortened(name))" of \(withArticle(object)) is \
      \(withArticle(value)). Leave it out: the key is recorded without that.
      """, keyPath: name, rootType: "\(object)")
    if deadEnds != nil, isCertain {
      if deadEnds?[name] == nil { deadEnds?[name] = error }
      return nil
    }
    return deadEndsReported.insert("\(object) \(name)").inserted ? error : nil
  }

  /// Called when all objects were read that the tree has at first.
  ///
  /// - Throws: ``KVError`` if a relationship is a key of an object, and leads to objects nowhere.
  func endBeginning() throws(KVError) {
    let errors = deadEnds ?? [:]
    deadEnds = nil
    let possible = leading.union(open)
    if let name = errors.keys.filter({ !possible.contains($0) }).min(), let error = errors[name] { throw error }
  }
}

extension UndoRule: Equatable {
  static func == (left: UndoRule, right: UndoRule) -> Bool {
    left === right
      || left.names == right.names && left.relationships == right.relationships
        && left.isOfElements == right.isOfElements
  }
}

extension KVKeyPath {
  /// The names of the keys on the path.
  var keyNames: [String] {
    components.compactMap { component in if case .key(let key) = component { key } else { nil } }
  }
}
