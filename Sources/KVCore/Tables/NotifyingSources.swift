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
  }

  /// Returns the paths that affect a key: those that its line declares, and the other keys of the same property (KVO.14).
  func affectingPaths(_ key: String) -> [(path: KVKeyPath, location: CodeLocation?)] {
    var paths = declared[key] ?? []
    guard let keyPath = lines[key]?.keyPath, let names = shared[keyPath] else { return paths }
    for path in names.filter({ $0 != key }).map({ KVKeyPath(wholeKey: $0) }) {
      if !paths.contains(where: { $0.path == path }) { paths.append((path, nil)) }
    }
    return paths
  }

  /// Returns whether some path that affects a key can notify; true if the table does not say.
  func notify(of key: String) -> Bool {
    var seen: Set<String> = []
    return notify(of: key, &seen)
  }

  private func notify(of key: String, _ seen: inout Set<String>) -> Bool {
    guard seen.insert(key).inserted else { return false }
    return affectingPaths(key).contains { path, _ in
      // Objects behind the first key are not known here.
      guard path.count == 1, case .key(let source) = path.first else { return true }
      return canNotify(source, &seen)
    }
  }

  private func canNotify(_ key: String, _ seen: inout Set<String>) -> Bool {
    if fields.isObservableProperty(key) || fields.variesByValue { return true }
    guard let line = lines[key] else {
      // A hook may notify of a key without a property.
      return fields.field(key)?.isSettable ?? true
    }
    if line.canNotify { return true }
    // A read-only line can list an observable property under another name.
    if line.keyPath != nil, fields.field(line.name) == nil, declared[line.name] == nil { return true }
    return notify(of: line.name, &seen)
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
    }.map { KVKeyPath(wholeKey: $0.name) }
  }
}
