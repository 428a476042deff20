import KVBinding
import KVCore

// The keys of an arrangement, of groups and of a node that notify by index, looked up once.
extension InternedKey {
  static let elements = InternedKey("elements")
  static let groups = InternedKey("groups")
  static let childNodes = InternedKey("childNodes")
}
