/// Returns a value as reports show it: texts in quotes, types without their modules, and objects told apart.
func shown(_ value: Any?) -> String {
  guard let value else { return "nil" }
  switch value {
  case let text as String: return "\"\(text)\""
  case let members as Set<AnyHashable>: return list(members.map { shown($0.base) }.sorted())
  case let entries as [AnyHashable: Any]:
    if entries.isEmpty { return "[:]" }
    return list(entries.map { "\(shown($0.base)): \(shown($1))" }.sorted())
  case let elements as [Any?]: return list(elements.map { shown($0) })
  case is any CustomStringConvertible: return "\(value)"
  default:
    guard type(of: value) is AnyClass else { return "\(value)" }
    // Two objects of a class look alike otherwise.
    let address = String(UInt(bitPattern: ObjectIdentifier(value as AnyObject)), radix: 16)
    return "\(type(of: value))(…\(address.suffix(4)))"
  }
}

/// Returns a value as `shown` does, cut to one short line.
func brief(_ value: Any?) -> String {
  let text = shown(value)
  let line = String(text.prefix(60).map { $0.isNewline ? " " : $0 })
  return text.count > 60 ? line + "…" : line
}

/// The elements in brackets; of very many, the first ones.
private func list(_ elements: [String]) -> String {
  let more = elements.count > 100 ? ["… \(elements.count - 100) more"] : []
  return "[\((elements.prefix(100) + more).joined(separator: ", "))]"
}

extension KVChange {
  /// What happens, as `insertion at 2`.
  var deed: String {
    let moment = isPrior ? " (prior)" : isInitial ? " (initial)" : ""
    let place = indexes.map { " at \($0.map(String.init).joined(separator: ", "))" } ?? ""
    return "\(kind)\(moment)\(place)"
  }

  /// The values, as `1 → 2`.
  var values: String { "\(shown(old)) → \(shown(new))" }
}
