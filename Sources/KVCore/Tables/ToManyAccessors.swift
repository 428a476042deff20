/// The erased functions of a table line that edit a to-many key in place (COL.2).
struct ToManyAccessors {
  /// Edits the collection of an owner: with elements of the declared type, at indexes if the collection is ordered.
  typealias Edit = (_ owner: Owner, _ elements: [Any], _ indexes: [Int]) throws(KVError) -> Void

  let insert: Edit
  /// The elements are those of a set; an array removes by index.
  let remove: Edit
  var replace: Edit?
}
