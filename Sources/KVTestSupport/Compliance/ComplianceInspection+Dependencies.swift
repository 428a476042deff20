import KVBinding
import KVCore

// The checks that keys depend on their declared paths, and on nothing else.

extension ComplianceInspection {
  /// Returns whether a key is declared to change with another one, directly or indirectly.
  func depends(_ key: ComplianceKey, on other: ComplianceKey, over seen: Set<String> = []) -> Bool {
    key.affecting.contains { path in
      guard case .key(let name) = path.first, let first = self.key(name), !seen.contains(first.name) else {
        return false
      }
      return first.name == other.name || depends(first, on: other, over: seen.union([first.name]))
    }
  }

  func reportUndeclaredDependencies() {
    for name in Set(missedChanges.map(\.key)) where !has(.notNotified, name) {
      let changes = missedChanges.filter { $0.key == name }
      let causes = changes.map { "\"\($0.cause)\"" }.joined(separator: ", ")
      report(
        .undeclaredDependency, name,
        """
        "\(name)" changed from \(brief(changes[0].old)) to \(brief(changes[0].new)) when "\(changes[0].cause)" was set, \
        and no observer was notified. Add affected(by: \(causes)) to its line, or make it a @KVProperty if it is stored.
        """)
    }
  }

  /// Changes each path that a key depends on, and observes the key.
  func checkDependencies(_ key: ComplianceKey) throws {
    for path in key.affecting {
      let sample = try sample()
      guard let object = sample.observable else { return }
      let observer = ComplianceObserver(object, [path, KVKeyPath(singleKey: key.name)])
      if let failure = observer.failures[path.description] ?? observer.failures[key.name] {
        report(
          .deadDependency, key.name,
          "\"\(key.name)\" depends on \"\(path)\", which cannot be observed: \(sentence(failure))")
        continue
      }
      for end in [elementPath(of: path), path] {
        guard let end else { continue }
        let old = pathValue(of: sample.model, at: path)
        observer.clear()
        guard move(end, of: sample), observer.records(of: key.name).isEmpty else { continue }
        report(
          .deadDependency, key.name,
          """
          "\(key.name)" depends on "\(path)", and was not notified when that went from \(brief(old)) to \
          \(brief(pathValue(of: sample.model, at: path))). Let every key on the path notify of its changes, or declare another path.
          """)
        break
      }
    }
  }

  /// Returns the path of what an operator reads of the first element (KVO.18); nil if it reads nothing of elements.
  private func elementPath(of path: KVKeyPath) -> KVKeyPath? {
    let left = path.components.prefix { if case .key = $0 { true } else { false } }
    let right = path.components.dropFirst(left.count + 1).prefix { if case .key = $0 { true } else { false } }
    guard left.count < path.count, !left.isEmpty, !right.isEmpty, right.first != .key("self") else { return nil }
    return try? KVKeyPath(components: Array(left) + [.index(0)] + Array(right))
  }

  /// Changes the value at the end of a path, as far as its components are keys; for a read-only end changes other keys
  /// of its owner.
  ///
  /// - Returns: Whether a change was made of which observers must be notified. This excludes dependent keys, and keys
  ///   that are themselves `notNotified`.
  private func move(_ path: KVKeyPath, of sample: ComplianceSample) -> Bool {
    let keys = path.components.prefix { !$0.isOperator }
    guard
      let path = try? KVKeyPath(components: Array(keys)), let first = key(keys[0].description),
      !has(.notNotified, first.name)
    else { return false }
    guard let parent = path.parent else {
      return first.writeAccess != nil && (try? sample.change(first, to: value(for: first, in: sample))) != nil
    }
    guard let owner = try? sample.model.value(forKeyPath: parent), let leafKeys = try? KVC.keys(of: owner) else {
      return false
    }
    let last = path.last.description
    let isLeaf = leafKeys.contains { ($0.name == last || $0.aliases.contains(last)) && !$0.isReadOnly }
    return leafKeys.contains { leaf in
      guard !leaf.isReadOnly, !isLeaf || leaf.name == last || leaf.aliases.contains(last) else { return false }
      let old = pathValue(of: sample.model, at: path)
      let other = otherValue(than: pathValue(of: owner, at: KVKeyPath(singleKey: leaf.name)), leaf, of: owner)
      guard (try? sample.set(other, path: parent.appending(KVKeyPath(singleKey: leaf.name)))) != nil else {
        return false
      }
      return isLeaf || !Similarity.areAlike(old, pathValue(of: sample.model, at: path))
    }
  }
}
