extension KVTable {
  /// Returns a function that tells whether some path that affects a key can notify; true if the table does not say.
  func sourcesNotify(_ fields: ReflectedFields) -> (String) -> Bool {
    let sources = NotifyingSources(self, fields)
    return { sources.notify(of: $0) }
  }
}

/// Finds out which dependent keys can notify: those with an affecting path that can (KVO.21).
private struct NotifyingSources {
  private let table: KVTable
  private let fields: ReflectedFields
  private let lines: [String: KeyDeclaration]

  init(_ table: KVTable, _ fields: ReflectedFields) {
    self.table = table
    self.fields = fields
    var lines: [String: KeyDeclaration] = [:]
    for line in table.merged { for name in [line.name] + line.aliases { lines[name] = line } }
    self.lines = lines
  }

  func notify(of key: String) -> Bool {
    var seen: Set<String> = []
    return notify(of: key, &seen)
  }

  private func notify(of key: String, _ seen: inout Set<String>) -> Bool {
    guard seen.insert(key).inserted else { return false }
    return table.affectingPaths(key).contains { path in
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
    if line.keyPath != nil, fields.field(line.name) == nil, table.affectingPaths(line.name).isEmpty { return true }
    return notify(of: line.name, &seen)
  }
}
