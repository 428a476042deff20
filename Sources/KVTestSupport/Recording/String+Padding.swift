extension String {
  /// The text, with spaces behind it up to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}
