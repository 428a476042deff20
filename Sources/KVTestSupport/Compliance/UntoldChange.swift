/// A key that changed without a record, when another key was set.
struct UntoldChange {
  let key: String
  let cause: String
  let old: Any?
  let new: Any?
}
