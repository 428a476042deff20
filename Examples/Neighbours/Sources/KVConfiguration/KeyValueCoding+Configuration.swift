import KVControllers

extension KeyValueCoding where Self: AnyObject {
  /// Binds a key path to a value of a configuration, which is converted as by a lenient key: "8080" to an `Int`, "2026-11-22" to a
  /// `Date`, a raw value to its enum.
  ///
  /// - Parameters:
  ///   - path: The key path that follows the configuration.
  ///   - key: The key in the configuration, such as "http.port".
  ///   - configuration: The configuration, which is referenced weakly.
  ///   - type: The type to which the value is converted; an optional, if there need be no value.
  ///   - file: The file of the call, for diagnostics.
  ///   - line: The line of the call.
  /// - Returns: The binding. The `onError` and the `lastError` of it tell of a value that does not convert after a reload.
  /// - Throws: `KVError` if there is no value and no default, or if it does not convert. Nothing is bound then.
  @discardableResult
  public func bind<Value>(
    _ path: some KVKeyPathConvertible, to key: String, of configuration: ConfigurationController, as type: Value.Type,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    let transformer = KVTransformer.erased("\(type)") { value throws(KVError) in
      do throws(KVError) {
        return try KVC.convert(value, to: type, lenient: true)
      } catch {
        let problem = value == nil ? "has no value, and there is no default" : "does not fit: \(error.message)"
        throw KVError(error.code, "\"\(key)\" of the configuration \(problem)", component: key, underlying: error)
      }
    }
    return try bind(
      path, to: configuration.keyPath(key), of: configuration, options: .init(transformer: transformer), file: file,
      line: line)
  }
}
