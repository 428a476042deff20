import KVBinding
import KVCore

/// The keys of elements that have left recorded collections, which are recorded until the step ends (UND.1).
///
/// Handlers of a removal may edit what was removed, and undoing the step has to undo that as well.
struct LeftElements {
  /// The keys by their collection, each once: an element may come and go often in one step.
  private var keys: [UndoKey.ID: [ObjectIdentifier: UndoKey]] = [:]

  mutating func add(_ added: [UndoKey], of collection: UndoKey) {
    for key in added {
      let isKept = keys[collection.id, default: [:]].updateValue(key, forKey: ObjectIdentifier(key)) != nil
      if isKept { key.endUse() }
    }
  }

  /// Takes the keys, those of one collection or all of them, for the caller to end their uses.
  ///
  /// That reports the end of registrations, which may run any code: it must not be done in here.
  mutating func take(of collection: UndoKey? = nil) -> [UndoKey] {
    if keys.isEmpty { return [] }
    if let collection { return keys.removeValue(forKey: collection.id).map { Array($0.values) } ?? [] }
    defer { keys = [:] }
    return keys.values.flatMap(\.values)
  }
}
