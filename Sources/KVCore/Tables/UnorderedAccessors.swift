/// The erased functions of a table line that edit an unordered to-many key in place (COL.2).
struct UnorderedAccessors {
  var add: (Owner, [Any]) throws(KVError) -> Void
  var remove: (Owner, [Any]) throws(KVError) -> Void
}
