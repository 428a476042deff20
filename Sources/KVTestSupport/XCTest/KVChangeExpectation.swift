#if canImport(XCTest)
  import KVCore
  import XCTest

  /// An expectation of XCTest that a change fulfils: what `XCTKVOExpectation` is to Cocoa (TST.2).
  ///
  /// ```swift
  /// let loaded = try KVChangeExpectation(download, "progress", expectedValue: 1.0)
  /// download.start()
  /// wait(for: [loaded], timeout: 5)
  /// ```
  ///
  /// For XCTest only, which reports it, at the line of `wait`; tests of Swift Testing use
  /// ``expectChange(of:_:to:ifAlreadyTrue:within:clock:isolation:fileID:filePath:line:column:during:)``. It may be
  /// inverted, and counted, as any expectation. Where `XCTKVOExpectation` raises for a path that is not there, this throws.
  public final class KVChangeExpectation: XCTestExpectation, @unchecked Sendable {  // guard: `token` is locked
    private let token = Locked<KVObservation?>(nil)

    /// Expects any change of a path.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - path: The path.
    ///   - options: Which changes count.
    ///   - file: Where the registration is listed; the caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``KVError``, as `observe` does.
    public convenience init(
      _ object: some KVObservable, _ path: KVKeyPath, options: KVObservingOptions = [.old, .new],
      file: StaticString = #fileID, line: UInt = #line
    ) throws(KVError) {
      self.init(description: "\(type(of: object)).\(path) changes")
      try observe(object, path, options, file, line) { _ in true }
    }

    /// Expects a path to hold a value: at once if it does so already, as in XCTest.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - path: The path.
    ///   - expectedValue: The value, compared as the package does (CO.7).
    ///   - options: When records come; without `.initial` only a change fulfils it.
    ///   - file: Where the registration is listed; the caller's file.
    ///   - line: The caller's line.
    /// - Throws: ``KVError``, as `observe` does.
    public convenience init(
      _ object: some KVObservable, _ path: KVKeyPath, expectedValue: Any?,
      options: KVObservingOptions = [.initial, .new, .old], file: StaticString = #fileID, line: UInt = #line
    ) throws(KVError) {
      self.init(description: "\(type(of: object)).\(path) becomes \(shown(expectedValue))")
      let path = path
      try observe(object, path, options.union(.new), file, line) { change in
        let value = change.kind == .setting ? change.new : (try? KVC.value(of: change.object, forKeyPath: path)) ?? nil
        return !change.isPrior && KVC.areEqual(value, expectedValue)
      }
    }

    /// Expects a change that a handler accepts.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - path: The path.
    ///   - options: What records carry, and when they come.
    ///   - file: Where the registration is listed; the caller's file.
    ///   - line: The caller's line.
    ///   - handler: Called with each record where the change is made; whether that fulfils the expectation.
    /// - Throws: ``KVError``, as `observe` does.
    public convenience init(
      _ object: some KVObservable, _ path: KVKeyPath, options: KVObservingOptions = [.old, .new],
      file: StaticString = #fileID, line: UInt = #line, handler: @escaping (KVChange) -> Bool
    ) throws(KVError) {
      self.init(description: "\(type(of: object)).\(path) changes as wanted")
      try observe(object, path, options, file, line, handler)
    }

    private func observe(
      _ object: some KVObservable, _ path: KVKeyPath, _ options: KVObservingOptions, _ file: StaticString,
      _ line: UInt, _ test: @escaping (KVChange) -> Bool
    ) throws(KVError) {
      let token = try object.observe(path, options: options, file: file, line: line) { [weak self] change in
        if test(change) { self?.fulfill() }
      }
      self.token.withLock { $0 = token }
    }
  }

  extension XCTestCase {
    /// Expects a path to hold a value: the call of Cocoa's XCTest.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - keyPath: The path.
    ///   - expectedValue: The value; none for any change.
    ///   - file: Where the registration is listed; the caller's file.
    ///   - line: The caller's line.
    /// - Returns: The expectation, for `wait(for:timeout:)`.
    /// - Throws: ``KVError``, as `observe` does.
    public func keyValueObservingExpectation(
      for object: some KVObservable, keyPath: KVKeyPath, expectedValue: Any? = nil, file: StaticString = #fileID,
      line: UInt = #line
    ) throws(KVError) -> KVChangeExpectation {
      guard let expectedValue else { return try KVChangeExpectation(object, keyPath, file: file, line: line) }
      return try KVChangeExpectation(object, keyPath, expectedValue: expectedValue, file: file, line: line)
    }

    /// Expects a change that a handler accepts: the call of Cocoa's XCTest.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - keyPath: The path.
    ///   - file: Where the registration is listed; the caller's file.
    ///   - line: The caller's line.
    ///   - handler: Called with the record; whether that fulfils the expectation.
    /// - Returns: The expectation, for `wait(for:timeout:)`.
    /// - Throws: ``KVError``, as `observe` does.
    public func keyValueObservingExpectation(
      for object: some KVObservable, keyPath: KVKeyPath, file: StaticString = #fileID, line: UInt = #line,
      handler: @escaping (KVChange) -> Bool
    ) throws(KVError) -> KVChangeExpectation {
      try KVChangeExpectation(object, keyPath, file: file, line: line, handler: handler)
    }
  }
#endif
