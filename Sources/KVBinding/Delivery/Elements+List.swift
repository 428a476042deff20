import KVCore

extension Elements {
  /// Returns the elements of a collection; none of nil.
  static func list(_ value: Any?) -> [Any] { value.flatMap { all(of: $0) }?.map { boxed($0) } ?? [] }
}
