#if canImport(XCTest)
  import XCTest

  extension XCTestCase {
    /// Expects a key path to have a value: the equivalent of the method of Cocoa's XCTest (TST.2).
    ///
    /// - Parameters:
    ///   - object: The object to observe.
    ///   - keyPath: The key path.
    ///   - expectedValue: The value; nil for any change.
    ///   - fileID: The file of the caller, for listings.
    ///   - filePath: The path of the caller's file, where XCTest reports violations of its API.
    ///   - line: The line of the caller.
    /// - Returns: The expectation, for `wait(for:timeout:)`.
    /// - Throws: ``KVError``: the errors of `observe`.
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

    /// Expects a change that a handler accepts: the equivalent of the method of Cocoa's XCTest (TST.2).
    ///
    /// - Parameters:
    ///   - object: The object to observe.
    ///   - keyPath: The key path.
    ///   - fileID: The file of the caller, for listings.
    ///   - filePath: The path of the caller's file, where XCTest reports violations of its API.
    ///   - line: The line of the caller.
    ///   - handler: A closure that receives each record and returns whether it fulfills the expectation.
    /// - Returns: The expectation, for `wait(for:timeout:)`.
    /// - Throws: ``KVError``: the errors of `observe`.
    public func keyValueObservingExpectation(
      for object: some KVObservable, keyPath: KVKeyPath, fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: UInt = #line, handler: @escaping (KVChange) -> Bool
    ) throws(KVError) -> KVChangeExpectation {
      try KVChangeExpectation(
        of: object, keyPath, fileID: fileID, filePath: filePath, line: line, handler: handler)
    }
  }
#endif
