/// A change of a key without a record, caused by setting another key.
struct UntoldChange {
  let key: String
  let cause: String
  let old: Any?
  let new: Any?
}
