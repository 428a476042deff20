#if canImport(XCTest)
  import XCTest

  extension XCTestCase {
    /// Expects a path to hold a value: the call of Cocoa's XCTest (TST.2).
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - keyPath: The path.
    ///   - expectedValue: The value; none for any change.
    ///   - fileID: Where the registration is listed; the caller's file.
    ///   - filePath: The path of that file, where XCTest reports what it calls violations of its API.
    ///   - line: The caller's line.
    /// - Returns: The expectation, for `wait(for:timeout:)`.
    /// - Throws: ``KVError``, as `observe` does.
    public func keyValueObservingExpectation(
      for object: some KVObservable, keyPath: KVKeyPath, expectedValue: Any? = nil, fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: UInt = #line
    ) throws(KVError) -> KVChangeExpectation {
      guard let expectedValue else {
        return try KVChangeExpectation(of: object, keyPath, fileID: fileID, filePath: filePath, line: line)
      }
      return try KVChangeExpectation(
        of: object, keyPath, expectedValue: expectedValue, fileID: fileID, filePath: filePath, line: line)
    }

    /// Expects a change that a handler accepts: the call of Cocoa's XCTest (TST.2).
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - keyPath: The path.
    ///   - fileID: Where the registration is listed; the caller's file.
    ///   - filePath: The path of that file, where XCTest reports what it calls violations of its API.
    ///   - line: The caller's line.
    ///   - handler: Called with the record; whether that fulfils the expectation.
    /// - Returns: The expectation, for `wait(for:timeout:)`.
    /// - Throws: ``KVError``, as `observe` does.
    public func keyValueObservingExpectation(
      for object: some KVObservable, keyPath: KVKeyPath, fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: UInt = #line, handler: @escaping (KVChange) -> Bool
    ) throws(KVError) -> KVChangeExpectation {
      try KVChangeExpectation(
        of: object, keyPath, fileID: fileID, filePath: filePath, line: line, handler: handler)
    }
  }
#endif
