import KVCore

extension Elements {
  /// Returns the elements of a collection in a record; none for nil.
  static func list(_ value: Any?) -> [Any] { value.flatMap { all(of: $0) }?.map { asAny($0) } ?? [] }
}
