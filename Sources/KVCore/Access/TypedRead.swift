/// The result of reading a value as a type into memory.
enum TypedRead {
  /// The value was of the type, and was moved into the memory.
  case moved
  /// The value is of another type, and has to be converted, by the rules of the line of a table that it is read by. The memory
  /// is uninitialised.
  case other(Any?, KeyDeclaration?)

  /// The value of another type, as part of what was read; nil if the value was moved.
  @inline(__always)
  consuming func unread<Root>(
    _ subject: @autoclosure () -> MismatchedRead.Subject, of root: @autoclosure () -> Root
  ) -> MismatchedRead? {
    switch consume self {
    case .moved: nil
    case .other(let value, let declaration): MismatchedRead(value, subject(), root(), declaration)
    }
  }
}
