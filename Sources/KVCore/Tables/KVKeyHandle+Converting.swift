extension KVKeyHandle {
  /// Converts values of another type when the key is written, and back when it is read (TAB.10).
  ///
  /// ```swift
  /// key("color", \.color).converted(from: String.self) { Color(hex: $0) } back: { $0.hex }
  /// key("due", \.due).converted(from: Double.self) { Date(timeIntervalSince1970: $0) }
  /// ```
  ///
  /// The conversion is used where a value neither is of the key's type nor converts to it by the rules of CO. It applies
  /// at any depth: the conversion of `Color` serves `Color?`, `[Color]` and `[String: Color]` alike. A line may have
  /// several conversions; one whose source is the type of the value precedes one to whose source the value converts. All
  /// of them precede ``lenient()``, which reads the text for which they return nil.
  ///
  /// - Parameters:
  ///   - source: The type of the values that are converted.
  ///   - target: The type of the converted values: that of the key, of its elements or of the value in an optional. It
  ///     need not be named if the closure is a single expression.
  ///   - convert: Returns the converted value, or nil if the value does not fit. An error that it throws is the cause of
  ///     the error of the write.
  ///   - back: Returns the value that `value(forKeyPath:as:)` yields for the source type. Without it the key cannot be
  ///     read as that type.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func converted<Source, Target>(
    from source: Source.Type, to target: Target.Type = Target.self,
    _ convert: @escaping (Source) throws -> Target?, back: ((Target) throws -> Source)? = nil
  ) -> Self {
    let (check, key) = (self.check, declaration.name)
    declaration.conversions.written.append(
      Conversion { (value: Source) -> Target? in
        check?.preconditionIsolated(key)
        return try convert(value)
      })
    if let back {
      declaration.conversions.read.append(
        Conversion { (value: Target) -> Source? in
          check?.preconditionIsolated(key)
          return try back(value)
        })
    }
    return self
  }
}
