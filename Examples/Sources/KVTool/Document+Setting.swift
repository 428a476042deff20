import KVBinding

extension Document {
  /// Sets the value of a path whose last key may be new.
  mutating func set(_ value: Any, at path: KVKeyPath) throws(ToolFailure) {
    if format != .json, Self.holdsNull(value) {
      throw ToolFailure("the value cannot be set: a property list holds no null.")
    }
    guard var root else { throw ToolFailure("the document is null, and has no keys.") }
    // The keys on the way are checked first, so that a mistyped one is told with the nearest match.
    var container: Any? = root
    if let parent = path.parent { container = try DocumentPath(parent).value(in: root) }
    let location = path.parent.map { "\"\($0)\"" } ?? "the document"
    guard let container else { throw ToolFailure("\"\(path.last)\" cannot be set: \(location) is null.") }
    if case .key(let key) = path.last {
      var objects = DocumentPath.Objects()
      objects.collect(container)
      if let scalar = objects.scalar {
        throw ToolFailure("\"\(key)\" cannot be set: \(location) is or holds \(scalar), which has no keys.")
      }
    }
    do throws(KVError) { try KVC.setValue(value, forKeyPath: path, in: &root) } catch { throw ToolFailure(error) }
    self.root = root
  }

  private static func holdsNull(_ value: Any) -> Bool {
    switch value {
    case is KVDocument.Null: true
    case let dictionary as [String: Any]: dictionary.values.contains { holdsNull($0) }
    case is [Any?] where type(of: value) == [Any?].self: true  // an array is of optionals only if it holds a null
    case let array as [Any]: array.contains { holdsNull($0) }
    default: ValueKind(value) == .null
    }
  }
}
