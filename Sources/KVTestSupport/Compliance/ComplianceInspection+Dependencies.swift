import KVBinding
import KVCore

// Whether keys depend on what they say, and on nothing else.

extension ComplianceInspection {
  /// Whether a key is declared to change with another one, directly or by way of others.
  func depends(_ key: ComplianceKey, on other: ComplianceKey, over seen: Set<String> = []) -> Bool {
    key.affecting.contains { path in
      guard case .key(let name) = path.first, let first = self.key(name), !seen.contains(first.name) else {
        return false
      }
      return first.name == other.name || depends(first, on: other, over: seen.union([first.name]))
    }
  }

  func reportUndeclaredDependencies() {
    for name in Set(untold.map(\.key)) where !has(.silent, name) {
      let changes = untold.filter { $0.key == name }
      let causes = changes.map { "\"\($0.cause)\"" }.joined(separator: ", ")
      report(
        .undeclaredDependency, name,
        """
        "\(name)" changed from \(brief(changes[0].old)) to \(brief(changes[0].new)) when "\(changes[0].cause)" was set, \
        and nobody was told. Add affected(by: \(causes)) to its line, or make it a @KVProperty if it is stored.
        """)
    }
  }

  /// Changes each path that a key depends on, and listens to the key.
  func checkDependencies(_ key: ComplianceKey) throws {
    for path in key.affecting {
      let sample = try sample()
      guard let object = sample.observable else { return }
      let watch = ComplianceWatch(object, [path, KVKeyPath(wholeKey: key.name)])
      if let failure = watch.failures[path.description] ?? watch.failures[key.name] {
        report(
          .deadDependency, key.name,
          "\"\(key.name)\" depends on \"\(path)\", which cannot be observed: \(sentence(failure))")
        continue
      }
      let names = keys(of: path)
      if names.first.flatMap({ self.key($0) }).map({ has(.silent, $0.name) }) == true { continue }
      let old = value(path, sample)
      guard move(names, of: sample), watch.records(of: key.name).isEmpty else { continue }
      report(
        .deadDependency, key.name,
        """
        "\(key.name)" depends on "\(path)", and was not told when that went from \(brief(old)) to \
        \(brief(value(path, sample))). Let every key on the path tell of its changes, or declare another path.
        """)
    }
  }

  private func value(_ path: KVKeyPath, _ sample: ComplianceSample) -> Any? {
    do throws(KVError) { return try sample.model.value(forKeyPath: path) } catch { return nil }
  }

  /// The keys that a path begins with, before any index or operator.
  private func keys(of path: KVKeyPath) -> [String] {
    path.components.prefix { if case .key = $0 { true } else { false } }.map(\.description)
  }

  /// Sets the end of a path to another value, or what that end depends on in its turn.
  ///
  /// - Returns: Whether something was set.
  private func move(_ names: [String], of sample: ComplianceSample, depth: Int = 0) -> Bool {
    guard depth < 10, let last = names.last, let first = key(names[0]) else { return false }
    if names.count == 1 {
      guard first.way == nil else { return (try? sample.change(first, to: value(for: first, in: sample))) != nil }
      return first.affecting.contains { move(keys(of: $0), of: sample, depth: depth + 1) }
    }
    guard
      let path = try? KVKeyPath(components: names.map { .key($0) }), let parent = path.parent,
      let owner = try? sample.model.value(forKeyPath: parent),
      let leaf = try? KVC.keys(of: owner).first(where: { $0.name == last || $0.aliases.contains(last) })
    else { return false }
    if leaf.isReadOnly {
      return leaf.affectingKeyPaths.compactMap { try? KVKeyPath($0) }.contains {
        move(names.dropLast() + keys(of: $0), of: sample, depth: depth + 1)
      }
    }
    let current = try? KVC.value(of: owner, forKeyPath: KVKeyPath(wholeKey: leaf.name))
    return (try? sample.set(otherValue(than: current, leaf, of: owner), path: path)) != nil
  }
}
