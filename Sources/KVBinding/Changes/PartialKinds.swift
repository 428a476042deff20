import KVCore

/// The kinds of changes of elements of a collection.
struct PartialKinds: OptionSet {
  let rawValue: UInt8

  static let insertion = PartialKinds(rawValue: 1)
  static let removal = PartialKinds(rawValue: 2)
  static let replacement = PartialKinds(rawValue: 4)
  static let all: PartialKinds = [.insertion, .removal, .replacement]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Creates the set of one kind; the empty set for a setting.
  init(_ kind: KVChange.Kind) {
    switch kind {
    case .setting: self = []
    case .insertion: self = .insertion
    case .removal: self = .removal
    case .replacement: self = .replacement
    }
  }
}
