/// The erased functions of a table line that edit an ordered to-many key in place (COL.2).
///
/// Elements are passed as arrays of the declared element type.
struct IndexedAccessors {
  var insert: (Owner, [Any], [Int]) throws(KVError) -> Void
  var remove: (Owner, [Int]) -> Void
  var replace: ((Owner, [Int], [Any]) throws(KVError) -> Void)?
}
