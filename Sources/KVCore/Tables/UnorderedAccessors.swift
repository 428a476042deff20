/// The functions that a table gives for editing an unordered to-many key in place, erased (COL.2).
struct UnorderedAccessors {
  var add: (Owner, [Any]) throws(KVError) -> Void
  var remove: (Owner, [Any]) throws(KVError) -> Void
}
