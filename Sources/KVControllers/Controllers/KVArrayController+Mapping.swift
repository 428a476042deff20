import KVBinding
import KVCore

// Paths through the arrays of a controller (CTR.12).
extension KVArrayController: KeyResolving {
  package func resolvedKey(for components: ArraySlice<KVKeyPath.Component>) throws(KVError) -> ResolvedKey? {
    guard components.count > 1, case .key(let name)? = components.first, let collection = Self.collection(name),
      case .key = components[components.startIndex + 1],
      let path = try? KVKeyPath(components: Array(components.dropFirst()))
    else { return nil }
    try checkKeys(of: path, in: elements(of: collection))
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
    let mapped = MappedKey(key, of: collection, path, version: current.version) { [weak self] mapped, id in
      self?.elementDidChange(id, of: [mapped])
    }
    mapped.onFailure = { [weak self] error in
      guard let self else { return }
      KVDiagnostics.report(.error, .faultyPath, try? KVKeyPath(key.name), self) {
        "observing \(type(of: self)).\(key): \(error)"
      }
    }
    mapped.isShared = observers?.paths.contains(path) ?? false
    mapped.assign(elements(of: collection))
    mappedKeys = mappedKeys.filter { $0.key != nil } + [MappedKey.Reference(key: mapped)]
    // The update that is half delivered was computed without the key.
    if isHalfDelivered {
      afterChanges { [weak self, weak mapped] in
        if let self, let mapped { mapped.assign(elements(of: mapped.collection)) }
      }
    }
    return mapped
  }

  /// Throws if an element does not have a key of a path; without elements, if no value of their type can have it.
  private func checkKeys(of path: KVKeyPath, in elements: [Element]) throws(KVError) {
    if elements.isEmpty { return try checkKeys(of: path) }
    var types: Set<ObjectIdentifier> = []
    for element in elements {
      guard let value = unwrappingOptionals(element), types.insert(ObjectIdentifier(type(of: value))).inserted else {
        continue
      }
      do throws(KVError) { try ResolvedComponent.check(path, of: value) } catch {
        if error.code == .undefinedKey { throw error }
      }
    }
  }

  private func elements(of collection: KVKey) -> [Element] {
    collection == Keys.arrangedObjects
      ? arrangedObjects : collection == Keys.selectedObjects ? selectedObjects : visibleContent
  }

  /// Changes the arrangement and the values of mapped keys after a change inside an element: all in one update (CTR.6).
  ///
  /// - Parameters:
  ///   - mapped: The mapped keys whose values have changed.
  ///   - arranges: Whether the arrangement depends on what has changed.
  func elementDidChange(_ id: ObjectIdentifier, of mapped: [MappedKey], arranges: Bool = false) {
    perform {
      // Before the arrangement gives an element that moves another slot.
      let places = isUpdating ? [] : mapped.map { indexes(of: id, in: $0.collection) }
      let change = arranges ? arrangement.elementDidChange(id) : ArrangementChange(.none)
      let moving = update(for: nil, change, selection: .followsMoves)
      if mapped.isEmpty { return moving }
      var update = moving ?? KeyUpdate {}
      if isUpdating {
        composite.changedMappedKeys.formUnion(mapped.map(\.key))
        update.changes += mapped.map { KeyChange($0.key) }
        return update
      }
      var edits: [MappedKey.Edit] = []
      for (key, indexes) in zip(mapped, places) where !update.changes.contains(where: { $0.key == key.key }) {
        if let first = indexes.first { edits.append(key.edit(of: elements(of: key.collection)[first], at: indexes)) }
      }
      if edits.isEmpty { return moving }
      let apply = update.apply
      update.changes += edits.map(\.change)
      update.apply = {
        apply()
        for edit in edits { edit.apply() }
      }
      return update
    }
  }

  /// Returns the indexes of an object in one of the arrays, ascending.
  ///
  /// - Complexity: O(log *n*) for each.
  private func indexes(of id: ObjectIdentifier, in collection: KVKey) -> [Int] {
    let indexes = arrangement.contentIndexes(of: id)
    if collection == Keys.content { return indexes }
    let arranged = indexes.compactMap { arrangement.index(ofSource: $0) }.sorted()
    return collection == Keys.arrangedObjects ? arranged : arranged.compactMap { current.selection.position(of: $0) }
  }

  /// Lets the mapped keys be notified of elements by the observations of the arrangement, or by their own.
  func shareObservations() {
    for mapped in mappedKeys.compactMap(\.key) {
      let isShared = observers?.paths.contains(mapped.path) ?? false
      if isShared == mapped.isShared { continue }
      mapped.isShared = isShared
      // An update that has begun before notifies of a setting, since the array may have changed meanwhile.
      mapped.version = current.version
      mapped.observe(elements(of: mapped.collection))
    }
  }

  /// Lets the mapped keys join an update of their arrays.
  ///
  /// - Parameters:
  ///   - changed: The keys of which an element has changed meanwhile, so that they notify of a setting.
  ///   - version: The version of the state before the update; keys that are observed since later notify of a setting as well.
  func addMappedKeys(to update: inout KeyUpdate, changed: Set<KVKey> = [], since version: Int? = nil) {
    if mappedKeys.isEmpty { return }
    mappedKeys.removeAll { $0.key == nil }
    if mappedKeys.isEmpty { arrangement.findsObjects = false }
    let first = update.applyFirst
    let last = update.apply
    var (firstEdits, lastEdits): ([MappedKey.Edit], [MappedKey.Edit]) = ([], [])
    for mapped in mappedKeys.compactMap(\.key) {
      let elements = { [unowned self] in self.elements(of: mapped.collection) as [Any] }
      let firsts = update.first.filter { $0.key == mapped.collection }
      let changes = update.changes.filter { $0.key == mapped.collection }
      let isLater = version.map { mapped.version > $0 } ?? false
      if changed.contains(mapped.key) || isLater && !(firsts + changes).isEmpty {
        let isNew = version.map { mapped.firstVersion > $0 } ?? false
        lastEdits.append(mapped.edit(for: KeyChange(mapped.collection), isNew: isNew, elements))
      } else if isLater {
        mapped.assign(elements())
      } else {
        firstEdits += firsts.map { mapped.edit(for: $0, elements) }
        lastEdits += changes.map { mapped.edit(for: $0, elements) }
      }
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
