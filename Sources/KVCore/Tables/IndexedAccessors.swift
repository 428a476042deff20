/// The functions that a table gives for editing an ordered to-many key in place, erased (COL.2).
///
/// Elements travel as arrays of the declared element type; the owner as its base.
struct IndexedAccessors {
  var insert: (UnsafeMutableRawPointer, [Any], [Int]) throws(KVError) -> Void
  var remove: (UnsafeMutableRawPointer, [Int]) -> Void
  var replace: ((UnsafeMutableRawPointer, [Int], [Any]) throws(KVError) -> Void)?
}

/// The functions that a table gives for editing an unordered to-many key in place, erased (COL.2).
struct UnorderedAccessors {
  var add: (UnsafeMutableRawPointer, [Any]) throws(KVError) -> Void
  var remove: (UnsafeMutableRawPointer, [Any]) throws(KVError) -> Void
}
