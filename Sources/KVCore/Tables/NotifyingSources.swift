extension KVTable {
  /// Returns what affects the keys of a type with the table.
  func sources(_ fields: ReflectedFields) -> NotifyingSources { NotifyingSources(self, fields) }
}

/// The paths that affect the keys of a table, and which dependent keys can notify: those with an affecting path that can
/// (KVO.21).
struct NotifyingSources {
  private let declared: [String: [(path: KVKeyPath, location: CodeLocation?)]]
  private let fields: ReflectedFields
  private let lines: [String: KeyDeclaration]
  /// The lines of each key path that several lines have.
  private let shared: [AnyKeyPath: [String]]
  /// The keys of lines with an affecting path that can notify.
  private var notifying: Set<String> = []

  init(_ table: KVTable, _ fields: ReflectedFields) {
    declared = table.affectingPaths
    self.fields = fields
    var lines: [String: KeyDeclaration] = [:]
    let merged = table.merged
    for line in merged { for name in [line.name] + line.aliases { lines[name] = line } }
    self.lines = lines
    // Lines of different types have no key path in common, which is dear to hash.
    var shared: [AnyKeyPath: [String]] = [:]
    for lines in Dictionary(grouping: merged, by: \.value.id).values where lines.count > 1 {
      for line in lines { if let keyPath = line.keyPath { shared[keyPath, default: []].append(line.name) } }
    }
    self.shared = shared.filter { $0.value.count > 1 }
    findNotifying(merged)
  }

  /// Finds the keys with affecting paths that can notify: from the paths that can, along the keys that depend on them.
  ///
  /// - Complexity: O(*n*) in the number of lines and of their paths; no recursion, since chains of keys have any length.
  private mutating func findNotifying(_ merged: [KeyDeclaration]) {
    var dependents: [String: [String]] = [:]
    var found: [String] = []
    for line in merged {
      for (path, _) in affectingPaths(line.name) {
        // Objects behind the first key are not known here.
        if path.count == 1, case .key(let source) = path.first, !canNotify(source) {
          dependents[lines[source]?.name ?? source, default: []].append(line.name)
        } else {
          found.append(line.name)
        }
      }
    }
    while let name = found.popLast() {
      if notifying.insert(name).inserted { found += dependents[name] ?? [] }
    }
  }

  /// Returns the paths that affect a key: those that its line declares, and the other keys of the same property (KVO.14).
  func affectingPaths(_ key: String) -> [(path: KVKeyPath, location: CodeLocation?)] {
    var paths = declared[key] ?? []
    guard let keyPath = lines[key]?.keyPath, let names = shared[keyPath] else { return paths }
    for path in names.filter({ $0 != key }).map({ KVKeyPath(singleKey: $0) }) {
      if !paths.contains(where: { $0.path == path }) { paths.append((path, nil)) }
    }
    return paths
  }

  /// Returns whether some path that affects a key can notify; true if the table does not say.
  func notify(of key: String) -> Bool { notifying.contains(key) }

  /// Returns whether a key notifies of its own, and not only because another one affects it.
  private func canNotify(_ key: String) -> Bool {
    if fields.isObservableProperty(key) || fields.variesByValue { return true }
    guard let line = lines[key] else {
      // A hook may notify of a key without a property.
      return fields.field(key)?.isSettable ?? true
    }
    if line.canNotify { return true }
    // A read-only line can list an observable property under another name.
    return line.keyPath != nil && fields.field(line.name) == nil && declared[line.name] == nil
  }
}

extension KeyDeclaration {
  /// Returns whether the line may list the property that a field stores, under another name.
  ///
  /// A property wrapper's property is computed for key paths, which do not say what it reads.
  func mayList(_ field: ReflectedFields.Field) -> Bool {
    guard field.notifyingType == value.type, field.name != name, readOnlyReason.isEmpty else { return false }
    guard affecting.isEmpty || affecting.contains(field.name) else { return false }
    return keyPath?.debugDescription.contains("<computed") ?? false
  }
}

extension TypeInfo {
  /// Returns the keys of the lines that may list an observable property under another name than that of its field
  /// (KVO.14).
  ///
  /// - Complexity: O(*n*) in the number of lines.
  package func otherKeys(of field: ReflectedFields.Field) -> [KVKeyPath] {
    guard field.notifyingType != nil else { return [] }
    return accessors.map(\.declaration).filter { line in
      let own = fields.field(line.name)
      let isOwnName = own?.name == line.name && own?.notifyingType != nil
      return !isOwnName && line.mayList(field)
    }.map { KVKeyPath(singleKey: $0.name) }
  }
}
