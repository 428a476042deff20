import KVBinding
import KVCore
import KVQuery

/// The state of an ``ArrayModel`` without its arrays.
///
/// It is not generic: code that is compiled for any type of element looks up the types that it uses.
struct ArrayState {
  var selection = ArraySelection()
  var sortDescriptors: [KVSortDescriptor] = []
  var filterPredicate: KVPredicate?
  var isAutomatic = false
  var avoidsEmptySelection = true
  var preservesSelection = true
  var selectsInsertedObjects = true
  var clearsFilterPredicateOnInsertion = true
  var arrangementError: KVError?
  /// Counts the changes.
  var version = 0

  /// Whether adding and inserting first clear the filter (CTR.22).
  var clearsFilter: Bool { clearsFilterPredicateOnInsertion && filterPredicate != nil }
}

/// A state of an ``ArrayModel`` with its arrays.
final class ArraySnapshot<Element> {
  let state: ArrayState
  let content: [Element]
  let arranged: [Element]

  init(_ state: ArrayState, _ content: [Element], arranged: [Element]) {
    (self.state, self.content, self.arranged) = (state, content, arranged)
  }
}
