import KVBinding
import KVCore

/// Writes records down, one line each: `name setting Ada → Grace`, `rows removal prior at [0] [a] → nil`.
package final class ChangeLines: LineLog {
  package var lines: [String] = []
  package private(set) var changes: [KVChange] = []

  package init() {}

  package func add(_ line: String) { lines.append(line) }

  package func add(_ change: KVChange, as name: String? = nil) {
    changes.append(change)
    lines.append((name.map { "\($0): " } ?? "") + brief(change))
  }

  /// Observes a path, and writes its records down.
  package func watch(
    _ object: some KVObservable, _ path: KVKeyPath, _ options: KVObservingOptions = [.old, .new], as name: String? = nil
  ) throws -> KVObservation {
    try object.observe(path, options: options) { [unowned self] in add($0, as: name) }
  }
}

/// A record as one line.
package func brief(_ change: KVChange) -> String {
  let moment = change.isPrior ? " prior" : change.isInitial ? " initial" : ""
  let atIndexes = change.indexes.map { " at \($0)" } ?? ""
  return "\(change.keyPath) \(change.kind)\(moment)\(atIndexes) \(brief(change.old)) → \(brief(change.new))"
}

/// A value as a short text: people by their names, sets in order.
package func brief(_ value: Any?) -> String {
  switch value {
  case nil: "nil"
  case let value as String: value
  case let value as Int: "\(value)"
  case let value as Villager: value.name ?? "nobody"
  case let value as KVRecord: "record of \(value.keys)"
  case let value as Set<AnyHashable>: "{" + value.map { brief($0.base) }.sorted().joined(separator: ", ") + "}"
  case let value as [Any?]: "[" + value.map { brief($0) }.joined(separator: ", ") + "]"
  case let value?: "\(value)"
  }
}
