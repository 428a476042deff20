import KVBinding
import KVCore

extension KVController.Keys {
  static let arrangedObjects = KVKey("arrangedObjects")
  static let sortDescriptors = KVKey("sortDescriptors")
  static let filterPredicate = KVKey("filterPredicate")
  static let automaticallyRearrangesObjects = KVKey("automaticallyRearrangesObjects")
  static let avoidsEmptySelection = KVKey("avoidsEmptySelection")
  static let preservesSelection = KVKey("preservesSelection")
  static let selectsInsertedObjects = KVKey("selectsInsertedObjects")
  static let clearsFilterPredicateOnInsertion = KVKey("clearsFilterPredicateOnInsertion")
  static let selectionIndexes = KVKey("selectionIndexes")
  static let selectionIndex = KVKey("selectionIndex")
  static let canSelectNext = KVKey("canSelectNext")
  static let canSelectPrevious = KVKey("canSelectPrevious")
  static let arrangementError = KVKey("arrangementError")
}
