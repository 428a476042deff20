/// The functions that a table gives for editing an ordered to-many key in place, erased (COL.2).
///
/// Elements travel as arrays of the declared element type.
struct IndexedAccessors {
  var insert: (Owner, [Any], [Int]) throws(KVError) -> Void
  var remove: (Owner, [Int]) -> Void
  var replace: ((Owner, [Int], [Any]) throws(KVError) -> Void)?
}
