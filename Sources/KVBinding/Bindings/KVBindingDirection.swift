/// The direction in which a binding propagates changes.
public enum KVBindingDirection: String, Sendable, Hashable, Codable, CaseIterable {
  /// From the source to the target.
  case oneWay
  /// Both ways. When the binding is made, the value of the source is propagated.
  case twoWay
  /// From the source to the target when the binding is made. The binding ends then.
  case once
  /// From the target to the source.
  case toSource

  /// Whether changes of the source are propagated.
  package var goesForward: Bool { self == .oneWay || self == .twoWay }
  /// Whether changes of the target are propagated.
  package var goesBackward: Bool { self == .twoWay || self == .toSource }

  /// The arrow between the endpoints in descriptions.
  package var arrow: String {
    switch self {
    case .oneWay: "→"
    case .twoWay: "⇄"
    case .once: "⇢"
    case .toSource: "←"
    }
  }
}
