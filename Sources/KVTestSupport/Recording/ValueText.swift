import KVBinding

/// Returns the text of a value for reports, in one line, with quoted strings, types without modules, and
/// distinguishable objects.
///
/// A very long text is reduced to its beginning and its end.
func shown(_ value: Any?) -> String {
  var text = fullText(value)
  if text.utf8.count > 1000 {
    let hidden = text.count - 700
    if hidden > 0 { text = "\(text.prefix(500)) … \(hidden) more … \(text.suffix(200))" }
  }
  return text.split(whereSeparator: \.isNewline).joined(separator: " ")
}

private func fullText(_ value: Any?) -> String {
  guard let value else { return "nil" }
  switch value {
  case let text as String: return text.debugDescription
  case let members as Set<AnyHashable>: return list(members.map { shown($0.base) }.sorted())
  case let entries as [AnyHashable: Any]:
    if entries.isEmpty { return "[:]" }
    return list(entries.map { "\(shown($0.base)): \(shown($1))" }.sorted())
  case let elements as [Any?]: return list(elements.map { shown($0) })
  case is any CustomStringConvertible: return describedSafely(value)
  default:
    guard type(of: value) is AnyClass else { return "\(value)" }
    // Otherwise two objects of a class look the same.
    let address = String(UInt(bitPattern: ObjectIdentifier(value as AnyObject)), radix: 16)
    return "\(type(of: value))(…\(address.suffix(4)))"
  }
}

/// Returns the text of a value like `shown`, truncated to one short line.
func brief(_ value: Any?) -> String {
  let text = shown(value)
  let line = String(text.prefix(60).map { $0.isNewline ? " " : $0 })
  return text.count > 60 ? line + "…" : line
}

/// Returns the elements in brackets; of very many elements, the first ones.
private func list(_ elements: [String]) -> String {
  let more = elements.count > 100 ? ["… \(elements.count - 100) more"] : []
  return "[\((elements.prefix(100) + more).joined(separator: ", "))]"
}

extension KVChange {
  /// The kind with its phase and the indexes, such as `insertion at 2`.
  var kindText: String { Self.text(of: "\(kind)", indexes, isPrior: isPrior, isInitial: isInitial) }

  /// The values, such as `1 → 2`.
  var values: String { "\(shown(old)) → \(shown(new))" }
}
