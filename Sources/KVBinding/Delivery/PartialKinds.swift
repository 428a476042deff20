import KVCore

/// Kinds of changes in which elements of a collection come and go.
struct PartialKinds: OptionSet {
  let rawValue: UInt8

  static let insertion = PartialKinds(rawValue: 1)
  static let removal = PartialKinds(rawValue: 2)
  static let replacement = PartialKinds(rawValue: 4)
  static let all: PartialKinds = [.insertion, .removal, .replacement]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The kind alone; none for a setting.
  init(_ kind: KVChange.Kind) {
    switch kind {
    case .setting: self = []
    case .insertion: self = .insertion
    case .removal: self = .removal
    case .replacement: self = .replacement
    }
  }
}
