import KVCore

/// A key of an arrangement or of groups that notifies by index.
enum ArrangedKey {
  case elements, groups

  // Looked up once.
  private static let elementsKey = KVKey("elements")
  private static let groupsKey = KVKey("groups")

  var key: KVKey {
    switch self {
    case .elements: Self.elementsKey
    case .groups: Self.groupsKey
    }
  }
}
