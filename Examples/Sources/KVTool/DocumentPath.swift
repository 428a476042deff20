import KVBinding
import KVDocuments

/// Reads a path of a document, and refuses keys that are not there.
///
/// The library reads a missing entry of a dictionary as nil, as Cocoa does. Whoever types a path at a prompt wants to
/// hear of a typing mistake, so here every key has to be in its container: a null has to be there to be read. Behind a
/// null everything is null, since nobody can tell what would be there.
struct DocumentPath {
  let path: KVKeyPath

  init(_ text: String) throws(ToolFailure) {
    do throws(KVError) { path = try KVKeyPath(text) } catch { throw ToolFailure(error) }
  }

  init(_ path: KVKeyPath) { self.path = path }

  /// Returns the value of the path; nil for a null.
  ///
  /// - Parameter excerpt: What the path reads of a document.
  func value(in excerpt: KVDocumentExcerpt) throws(ToolFailure) -> Any? {
    if excerpt.depth > 0, excerpt.root == nil { return nil }
    return try value(in: excerpt.root, from: excerpt.depth) { excerpt.names(beside: $0) }
  }

  /// Returns the value of the path; nil for a null.
  ///
  /// - Parameters:
  ///   - root: The value to which the components before the first one lead.
  ///   - first: The index of the first component.
  ///   - names: Returns the names of members that the objects have beside those that are in them, for a component.
  func value(
    in root: Any?, from first: Int = 0, names: (Int) -> Set<String> = { _ in [] }
  ) throws(ToolFailure) -> Any? {
    guard var current = root else { throw ToolFailure("the document is null, and has no keys.") }
    for (index, component) in path.components.enumerated().dropFirst(first) {
      switch component {
      // The receiver, unless there is a member of that name.
      case .key("self"): break
      case .key(let key), .entry(let key):
        try check(key, at: index, in: current, names)
      case .index:
        break
      case .operator(let name, _):
        if !Self.continues(name) {
          try checkRightPath(behind: index, of: current, names)
          return try Self.read(Array(path.components[index...]), in: current)
        }
      }
      guard let next = try Self.read([component], in: current) else { return nil }
      current = next
    }
    return current
  }

  /// Whether the path goes on with the operator's result, rather than being read of each element.
  private static func continues(_ name: String) -> Bool {
    ["self", "firstObject", "lastObject"].contains(name)
  }

  private static func read(_ components: [KVKeyPath.Component], in value: Any) throws(ToolFailure) -> Any? {
    do throws(KVError) {
      return try KVC.value(of: value, forKeyPath: try KVKeyPath(components: components))
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Checks the keys that an operator reads of each element.
  private func checkRightPath(
    behind index: Int, of collection: Any, _ names: (Int) -> Set<String>
  ) throws(ToolFailure) {
    var current = collection
    for index in (index + 1)..<path.count {
      // What lies behind an index or another operator is left to the library.
      guard case .key(let key) = path.components[index] else { return }
      if key != "self" { try check(key, at: index, in: current, names) }
      guard let next = try Self.read([path.components[index]], in: current) else { return }
      current = next
    }
  }

  // MARK: Keys

  /// Refuses a key that no container has.
  private func check(
    _ key: String, at index: Int, in value: Any, _ names: (Int) -> Set<String>
  ) throws(ToolFailure) {
    var objects = Objects()
    objects.collect(value)
    let location = index == 0 ? "the document" : "\"\(text(upTo: index))\""
    try objects.check(key, in: location, besides: names(index))
  }

  private func text(upTo index: Int) -> String {
    (try? KVKeyPath(components: Array(path.components[..<index])))?.description ?? ""
  }

  /// The dictionaries that a key is read of: the value, or the elements of the arrays that it is mapped over.
  struct Objects {
    private(set) var dictionaries: [[String: Any]] = []
    /// What another value is.
    private(set) var scalar: String?

    var isEmpty: Bool { dictionaries.isEmpty && scalar == nil }

    mutating func collect(_ value: Any) {
      switch value {
      case let dictionary as [String: Any]: dictionaries.append(dictionary)
      // An array with a nil casts to `[Any]` too, and then holds optionals.
      case let array as [Any?] where type(of: value) == [Any?].self:
        for case let element? in array { collect(element) }
      case let array as [Any]: for element in array { collect(element) }
      default:
        let kind = ValueKind(value)
        if kind != .null { scalar = kind.article }
      }
    }

    func contains(_ key: String) -> Bool { dictionaries.contains { $0[key] != nil } }

    /// Refuses a key that none of them has.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - location: Where they are, for the message.
    ///   - others: Names of members that they have besides.
    func check(_ key: String, in location: String, besides others: Set<String> = []) throws(ToolFailure) {
      if contains(key) || isEmpty || (key == "self" && dictionaries.isEmpty) { return }
      guard !dictionaries.isEmpty else {
        throw ToolFailure("there is no \"\(key)\" in \(location), which is \(scalar ?? "empty").")
      }
      let known = others.union(names).sorted()
      let hint = Nearest.hint(for: key, among: known)
      let list =
        known.prefix(10).map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
        + (known.count > 10 ? " and \(known.count - 10) more" : "")
      throw ToolFailure("there is no \"\(key)\" in \(location).\(hint) Its keys: \(known.isEmpty ? "none" : list).")
    }

    /// All keys, sorted.
    var names: [String] { dictionaries.reduce(into: Set<String>()) { $0.formUnion($1.keys) }.sorted() }
  }
}
