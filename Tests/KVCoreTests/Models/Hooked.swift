import KVCore

/// A class that answers undefined keys and takes nil for an integer.
final class Hooked: KVObject {
  var count = 5
  var extras: [String: Any] = [:]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Hooked.self) { key in key("count", \.count) }
  }

  override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    key == "nothing" ? Optional(String?.none) as Any : "undefined:\(key)"
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) { extras[key] = value ?? "nil" }

  override func setNilValue(forKey key: String) throws(KVError) { count = -1 }
}

/// A struct that does the same.
struct HookedValue: KeyValueCoding {
  var count = 5
  var log: [String] = []

  static var keyTable: KVTable { KVTable(HookedValue.self) { key in key("count", \.count) } }

  func value(forUndefinedKey key: String) throws(KVError) -> Any? { "undefined:\(key)" }

  mutating func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) { log.append(key) }

  mutating func setNilValue(forKey key: String) throws(KVError) { count = -1 }
}
