import KVBinding
import KVCore

/// A model whose keys no other test has, so that its events can be told from theirs.
final class DiagnosedItem: KVObject {
  @KVProperty var diagnosedName = "a"
  @KVProperty var next: DiagnosedItem?
  @KVProperty var anything: Any?
  private var once: String?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: DiagnosedItem.self) { key in
      key("diagnosedName", \.diagnosedName)
      key("next", \.next)
      key("anything", \.anything)
    }
  }

  override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    guard key == "diagnosedOnce" else { return try super.value(forUndefinedKey: key) }
    return once
  }

  /// Takes a value for one key, once.
  override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    guard key == "diagnosedOnce", once == nil else { return try super.setValue(value, forUndefinedKey: key) }
    once = value as? String
  }
}
