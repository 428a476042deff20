extension Accessor {
  /// Returns the value of a value that is no object, erased; nil for a nil optional.
  ///
  /// Generic code calls each closure around another one, which `withAddress(of:)` would add.
  @inline(__always)
  func readAny<Root>(ofValue root: Root) -> Any? {
    withUnsafePointer(to: root) { readAny(Owner(at: Address($0))) }
  }
}
