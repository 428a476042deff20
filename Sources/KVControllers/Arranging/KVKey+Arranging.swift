import KVBinding
import KVCore

// The keys of an arrangement, of groups and of a node that notify by index, looked up once.
extension KVKey {
  static let elements = KVKey("elements")
  static let groups = KVKey("groups")
  static let childNodes = KVKey("childNodes")
}
