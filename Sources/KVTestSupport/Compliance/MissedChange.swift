/// A change of a key without a record, caused by setting another key.
struct MissedChange {
  let key: String
  let cause: String
  let old: Any?
  let new: Any?
}
