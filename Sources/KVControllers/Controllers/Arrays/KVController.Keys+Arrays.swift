import KVBinding
import KVCore

extension KVController.Keys {
  static let arrangedObjects = InternedKey("arrangedObjects")
  static let sortDescriptors = InternedKey("sortDescriptors")
  static let filterPredicate = InternedKey("filterPredicate")
  static let automaticallyRearrangesObjects = InternedKey("automaticallyRearrangesObjects")
  static let avoidsEmptySelection = InternedKey("avoidsEmptySelection")
  static let preservesSelection = InternedKey("preservesSelection")
  static let selectsInsertedObjects = InternedKey("selectsInsertedObjects")
  static let clearsFilterPredicateOnInsertion = InternedKey("clearsFilterPredicateOnInsertion")
  static let selectionIndexes = InternedKey("selectionIndexes")
  static let selectionIndex = InternedKey("selectionIndex")
  static let canSelectNext = InternedKey("canSelectNext")
  static let canSelectPrevious = InternedKey("canSelectPrevious")
  static let arrangementError = InternedKey("arrangementError")
}
