import KVCore

// The errors of keys that never notify, each with what would let the key notify (KVO.13, KVO.21).

extension ResolvedComponent {
  /// The error for a path without a key that can notify.
  static func notObservableError(_ path: KVKeyPath, _ root: any KVObservable) -> KVError {
    let text = shortened(path.description)
    guard let name = path.first.observedName, name != "self" else {
      return KVError(
        .notObservable,
        "\"\(text)\" never notifies of a change: begin the path with a key of \(type(of: root)) that does.",
        component: path.first.description)
    }
    if path.count == 1 { return notObservableError(name, of: root) }
    return KVError(
      .notObservable,
      """
      none of the keys of "\(text)" from \(type(of: root)) tells of a change, as far as it leads now. \
      \(cure(name, TypeInfo.of(root)))
      """, component: path.last.description)
  }

  /// The error for a key of an object that never notifies.
  static func notObservableError(_ key: String, of object: any KVObservable) -> KVError {
    let info = TypeInfo.of(object)
    let reason: String
    switch NonNotifyingSource(of: key, info) {
    case .itself: reason = ". \(cure(key, info))"
    case .key(let source, let keys):
      let relation = keys.isEmpty ? "is affected by" : "depends by \(Self.list(keys)) on"
      reason = ": it \(relation) \"\(shortened(source))\", which never does so either. \(cure(source, info))"
    case .circle(let keys):
      reason = """
        : the dependent keys \(Self.list(keys)) depend on each other in a circle, and on no other key. Name a key that \
        notifies in \(info.isModel ? "@KVKey(.affected(by: …))" : ".affected(by:)") of one of them.
        """
    }
    return KVError(
      .notObservable, "\"\(shortened(key))\" of \(type(of: object)) never notifies of a change\(reason)",
      component: key)
  }

  private static func list(_ keys: [String]) -> String {
    keys.map { "\"\(shortened($0))\"" }.joined(separator: " → ")
  }

  /// Returns how a key notifies that nothing affects.
  private static func cure(_ name: String, _ info: TypeInfo) -> String {
    let key = shortened(name)
    let computedCure =
      info.isModel
      ? "write @KVKey(.affected(by: …)) or @KVKey(.notifiesManually) before it"
      : "add .affected(by:) or .notifiesManually() to its line"
    if let accessor = (try? info.accessor(name)) ?? nil, !accessor.isSettable {
      return """
        "\(key)" cannot be set. If it is a "let" there is nothing to observe: read it, or make it a \
        \(info.isModel ? "var" : "@KVProperty var"). If it is computed, \(computedCure).
        """
    }
    let storedCure = Failure.tableLine(key, info, or: "declare it @KVProperty var \(key)")
    return """
      If "\(key)" is a stored property, \(storedCure)\(info.isModel ? "" : ", which tells of writes by key"); if it is \
      computed, \(computedCure).
      """
  }
}

/// The reason why a key never notifies: the key itself, a key that affects it, or a circle of keys.
private enum NonNotifyingSource {
  /// Nothing affects the key.
  case itself
  /// A key that nothing affects, and the keys by which the key depends on it.
  case key(String, by: [String])
  /// The keys of a circle, the first one again at the end.
  case circle([String])

  /// Finds the first key along the affecting keys that nothing affects; without recursion, since chains of keys have any
  /// length.
  init(of key: String, _ info: TypeInfo) {
    var chain = [Self.name(of: key, info)]
    var seen = Set(chain)
    var circle: [String]?
    while let last = chain.last {
      let affecting = Self.affecting(last, info)
      if affecting.isEmpty {
        self = chain.count == 1 ? .itself : .key(last, by: Array(chain.dropFirst().dropLast()))
        return
      }
      if let next = affecting.first(where: { !seen.contains($0) }) {
        chain.append(next)
        seen.insert(next)
      } else {
        if circle == nil, let start = affecting.compactMap({ chain.firstIndex(of: $0) }).first {
          circle = chain[start...] + [chain[start]]
        }
        chain.removeLast()
      }
    }
    self = circle.map { .circle($0) } ?? .itself
  }

  /// Returns the names of the keys that affect a key.
  private static func affecting(_ key: String, _ info: TypeInfo) -> [String] {
    guard let accessor = (try? info.accessor(key)) ?? nil else { return [] }
    return accessor.affecting.compactMap { $0.first.observedName.map { name(of: $0, info) } }
  }

  /// Returns the name of a key or alias.
  private static func name(of key: String, _ info: TypeInfo) -> String {
    ((try? info.accessor(key)) ?? nil)?.key.name ?? key
  }
}
