extension KVC {
  /// Asks the validator of the last component of a path about a value (VAL.2).
  ///
  /// Setting never validates by itself.
  ///
  /// - Parameters:
  ///   - value: The value that is to be set.
  ///   - path: The path, or its text.
  ///   - root: The root of the path.
  /// - Returns: `.valid`, also where the key has no validator or a nil stands in the middle of the path; or
  ///   `.replaced(with:)` and the value to set instead.
  /// - Throws: ``KVError``: `invalidValue` if the validator refused, with its error as the cause; `typeMismatch`,
  ///   `numberOutOfRange` and `nilValue` if the value, or the one that the validator replaces it by, could not be set at
  ///   all, unless the validator answers for nil (VAL.3); else as reading does.
  public static func validate(
    _ value: Any?, forKeyPath path: some KVKeyPathConvertible, of root: Any
  ) throws(KVError) -> KVValidation {
    let path = try path.keyPath()
    return try KVError.locating(path.description, of: type(of: root)) { () throws(KVError) in
      // Each of several owners gets the replacement by the one before.
      var (value, result) = (value, KVValidation.valid)
      guard case .key(let key) = path.last else { return result }
      try PathCursor.withLastOwner(path, of: root) { owner, _ throws(KVError) in
        try path.check(at: path.count - 1, of: owner, writing: true)
        guard case .replaced(let other) = try validate(value, forKey: key, of: owner) else { return }
        (value, result) = (other, .replaced(with: other))
      }
      return result
    }
  }

  private static func validate(_ value: Any?, forKey key: String, of owner: Any) throws(KVError) -> KVValidation {
    let info = TypeInfo.of(owner)
    guard let accessor = try info.accessor(key) else {
      _ = try Reader.value(ofKey: key, in: owner)
      return .valid
    }
    guard let validator = accessor.declaration.validator else { return .valid }
    let isNil = value.flatMap(unwrappingOptionals) == nil
    var candidate: Any?
    if !isNil || accessor.value.isOptional || !accessor.declaration.validatesNil {
      candidate = try Failure.converting(for: key, of: info.type) { () throws(CoercionFailure) -> Any? in
        try accessor.value.converted(value, accessor.declaration.coercion)
      }
    }
    let answer: KVValidation
    do { answer = try validator(owner, candidate) } catch { throw Failure.refused(value, key, of: info, by: error) }
    guard case .replaced(let replacement) = answer else { return answer }
    do throws(CoercionFailure) {
      let converted = try accessor.value.converted(replacement, accessor.declaration.coercion)
      return .replaced(with: unwrappingOptionals(converted))
    } catch {
      throw KVError(
        error.code,
        """
        the validator of "\(key)" of \(info.name) replaces the value by one that does not fit: \(error.reason). Let it \
        return .replaced(with:) a value of type \(typeName(accessor.value.type)).
        """, component: key, underlying: error.underlying)
    }
  }
}
