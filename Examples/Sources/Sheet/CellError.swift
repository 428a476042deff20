/// A fault of an edit, or the value of a formula that cannot be evaluated.
public struct CellError: Error, Equatable, CustomStringConvertible {
  /// The sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
