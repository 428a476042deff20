import KVBinding
import KVCore

/// A key of an arrangement, of groups or of a node that notifies by index.
enum ArrangedKey {
  case elements, groups, childNodes

  // Looked up once.
  private static let elementsKey = KVKey("elements")
  private static let groupsKey = KVKey("groups")
  private static let childNodesKey = KVKey("childNodes")

  var key: KVKey {
    switch self {
    case .elements: Self.elementsKey
    case .groups: Self.groupsKey
    case .childNodes: Self.childNodesKey
    }
  }
}
