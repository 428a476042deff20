/// Why a value cannot be written to a document, and where in it the value stands.
///
/// The components are gathered on the way up, so that a document that can be written costs nothing.
struct UnwritableValue: Error {
  let reason: String
  var code = KVError.Code.unsupported
  /// The way to the value, the last component first.
  private(set) var components: [KVKeyPath.Component] = []

  init(_ reason: String, code: KVError.Code = .unsupported) {
    self.reason = reason
    self.code = code
  }

  static func tooDeep() -> UnwritableValue {
    UnwritableValue("arrays and dictionaries are nested more than \(KVJSON.maximumDepth) deep", code: .limitExceeded)
  }

  static func foreign(_ value: Any) -> UnwritableValue {
    UnwritableValue("a value of type \(type(of: value)) is none that it has; give a record or a dictionary of it")
  }

  static func containsItself() -> UnwritableValue {
    UnwritableValue("the record contains itself; take it out, or write the parts")
  }

  /// Returns the reason as it looks from the container of the value.
  func under(_ component: KVKeyPath.Component) -> UnwritableValue {
    var copy = self
    copy.components.append(component)
    return copy
  }

  /// Returns the error that is thrown.
  func error(of root: Any?, format: String) -> KVError {
    let path = (try? KVKeyPath(components: components.reversed()))?.description
    let location = path.map { "at \($0.count > 200 ? "\($0.prefix(200))…" : $0), " } ?? ""
    return KVError(
      code, "cannot be written as \(format): \(location)\(reason).", keyPath: path,
      component: components.first?.description, rootType: root.map { "\(type(of: $0))" })
  }
}

extension KVKeyPath.Component {
  /// The component that leads to the entry of a dictionary: a key where its name can be one.
  static func naming(_ name: String) -> KVKeyPath.Component {
    (try? KVKeyPath(components: [.key(name)])) == nil ? .entry(name) : .key(name)
  }
}
