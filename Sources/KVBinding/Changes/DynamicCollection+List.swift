import KVCore

extension DynamicCollection {
  /// Returns the elements of a collection in a record; none for nil.
  package static func list(_ value: Any?) -> [Any] {
    guard let value else { return [] }
    // Most records have an array of the elements in boxes.
    if let list = exactCast(value, [Any].self) { return list }
    return (try? all(of: value))?.map { asAny($0) } ?? []
  }
}
