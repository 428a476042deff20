import KVBinding
import KVCore

// Paths through the arrays of a controller (CTR.12).
extension KVArrayController: KeyResolving {
  package func resolvedKey(for components: ArraySlice<KVKeyPath.Component>) throws(KVError) -> ResolvedKey? {
    guard components.count > 1, case .key(let name)? = components.first,
      let collection = MappedKeys<Element>.collection(name),
      case .key = components[components.startIndex + 1],
      let path = try? KVKeyPath(components: Array(components.dropFirst()))
    else { return nil }
    let elements = model.presentedElements(of: collection)
    if elements.isEmpty { try checkKeys(of: path) } else { try MappedKeys.check(path, of: elements) }
    let key = InternedKey("\(collection.name).\(path)")
    return ResolvedKey(key: key, root: self) { [weak self] in self?.makeMappedKey(key, collection, path) }
  }

  private func makeMappedKey(_ key: InternedKey, _ collection: InternedKey, _ path: KVKeyPath) -> MappedKey {
    let mapped = MappedKey(key, of: collection, path, version: model.state.version) { [weak self] mapped, id in
      self?.elementDidChange(id, of: [mapped])
    }
    mapped.onFailure = { [weak self] error in
      guard let self else { return }
      KVDiagnostics.report(.error, .faultyPath, try? KVKeyPath(key.name), self) {
        "observing \(type(of: self)).\(key): \(error)"
      }
    }
    mapped.isShared = observers?.paths.contains(path) ?? false
    mapped.assign(model.presentedElements(of: collection))
    mappedKeys.add(mapped)
    // The update that is half delivered was computed without the key.
    if isHalfDelivered {
      afterChanges { [weak self, weak mapped] in
        if let self, let mapped { mapped.assign(model.presentedElements(of: mapped.collection)) }
      }
    }
    return mapped
  }

  /// Changes the arrangement and the values of mapped keys after a change inside an element: all in one update (CTR.6).
  ///
  /// - Parameters:
  ///   - mapped: The mapped keys whose values have changed.
  ///   - arranges: Whether the arrangement depends on what has changed.
  func elementDidChange(_ id: ObjectIdentifier, of mapped: [MappedKey], arranges: Bool = false) {
    perform {
      // Before the arrangement gives an element that moves another slot.
      let positions = isUpdating ? [] : mapped.map { model.indexes(of: id, in: $0.collection) }
      let moving = arranges ? joined(model.change(of: id)) : nil
      if mapped.isEmpty { return moving }
      var update = moving ?? KeyUpdate {}
      if isUpdating {
        model.summary.changedMappedKeys.formUnion(mapped.map(\.key))
        update.changes += mapped.map { KeyChange($0.key) }
        return update
      }
      var edits: [MappedKey.Edit] = []
      for (key, indexes) in zip(mapped, positions) where !update.changes.contains(where: { $0.key == key.key }) {
        if let first = indexes.first {
          edits.append(key.edit(of: model.presentedElements(of: key.collection)[first], at: indexes))
        }
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
}
