import KVCore

// Paths through the arrays of a controller (CTR.12).
extension KVArrayController: KeyResolving {
  /// A mapped key, which exists as long as it is observed.
  struct MappedKeyReference {
    weak var key: MappedKey?
  }

  func resolvedKey(for components: ArraySlice<KVKeyPath.Component>) -> ResolvedKey? {
    guard components.count > 1, case .key(let name)? = components.first, let collection = Self.collection(name),
      case .key = components[components.startIndex + 1],
      let path = try? KVKeyPath(components: Array(components.dropFirst()))
    else { return nil }
    let key = KVKey("\(collection.name).\(path)")
    return ResolvedKey(key: key, root: self) { [weak self] in self?.makeMappedKey(key, collection, path) }
  }

  private static func collection(_ name: String) -> KVKey? {
    switch name {
    case "arrangedObjects": Keys.arrangedObjects
    case "selectedObjects": Keys.selectedObjects
    case "content", "contentArray", "contentSet", "contentObject": Keys.content
    default: nil
    }
  }

  private func makeMappedKey(_ key: KVKey, _ collection: KVKey, _ path: KVKeyPath) -> MappedKey {
    let mapped = MappedKey(key, of: collection, path, elements(of: collection)) { [weak self] mapped, id in
      self?.elementDidChange(mapped, id)
    }
    mappedKeys = mappedKeys.filter { $0.key != nil } + [MappedKeyReference(key: mapped)]
    return mapped
  }

  private func elements(of collection: KVKey) -> [Element] {
    collection == Keys.arrangedObjects
      ? arrangedObjects : collection == Keys.selectedObjects ? selectedObjects : visible.content
  }

  private func elementDidChange(_ mapped: MappedKey, _ id: ObjectIdentifier) {
    perform {
      if isUpdating {
        composite.changedMappedKeys.insert(mapped.key)
        return KeyUpdate(changes: [KeyChange(mapped.key)]) {}
      }
      let elements = elements(of: mapped.collection)
      let indexes = elements.indices.filter { ArrangedContent<Element>.identity(of: elements[$0]) == id }
      guard let first = indexes.first else { return nil }
      let edit = mapped.edit(of: elements[first], at: indexes)
      return KeyUpdate(changes: [edit.change], apply: edit.apply)
    }
  }

  /// Lets the mapped keys join an update of their arrays.
  ///
  /// - Parameter changed: The keys of which an element has changed meanwhile, so that they notify of a setting.
  func addMappedKeys(to update: inout KeyUpdate, changed: Set<KVKey> = []) {
    if mappedKeys.isEmpty { return }
    let first = update.applyFirst
    let last = update.apply
    var (firstEdits, lastEdits): ([MappedKey.Edit], [MappedKey.Edit]) = ([], [])
    for mapped in mappedKeys.compactMap(\.key) {
      let elements = { [unowned self] in self.elements(of: mapped.collection) as [Any] }
      let changes = update.changes.filter { $0.key == mapped.collection }
      if changed.contains(mapped.key) {
        lastEdits.append(mapped.edit(for: KeyChange(mapped.collection), elements))
        continue
      }
      firstEdits += update.first.filter { $0.key == mapped.collection }.map { mapped.edit(for: $0, elements) }
      lastEdits += changes.map { mapped.edit(for: $0, elements) }
    }
    update.first += firstEdits.map(\.change)
    update.changes += lastEdits.map(\.change)
    update.applyFirst = {
      first()
      for edit in firstEdits { edit.apply() }
    }
    update.apply = {
      last()
      for edit in lastEdits { edit.apply() }
    }
  }
}
