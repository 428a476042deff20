#if canImport(XCTest)
  import KVCore
  import XCTest

  /// An expectation of XCTest that a change fulfils: what `XCTKVOExpectation` is to Cocoa (TST.2).
  ///
  /// ```swift
  /// let loaded = try KVChangeExpectation(of: download, "progress", expectedValue: 1.0)
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
    ///   - fileID: Where the registration is listed; the caller's file.
    ///   - filePath: The path of that file, where XCTest reports what it calls violations of its API.
    ///   - line: The caller's line.
    /// - Throws: ``KVError``, as `observe` does.
    public convenience init(
      of object: some KVObservable, _ path: KVKeyPath, options: KVObservingOptions = [.old, .new],
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
    ) throws(KVError) {
      self.init(description: "\(type(of: object)).\(path) changes")
      try observe(object, path, options, KVTestLocation(fileID: fileID, filePath: filePath, line: line)) { _ in true }
    }

    /// Expects a path to hold a value: at once if it does so already, as in XCTest.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - path: The path.
    ///   - expectedValue: The value, compared as the package does (CO.7).
    ///   - options: When records come; without `.initial` only a change fulfils it.
    ///   - fileID: Where the registration is listed; the caller's file.
    ///   - filePath: The path of that file, where XCTest reports what it calls violations of its API.
    ///   - line: The caller's line.
    /// - Throws: ``KVError``, as `observe` does.
    public convenience init(
      of object: some KVObservable, _ path: KVKeyPath, expectedValue: Any?,
      options: KVObservingOptions = [.initial, .new, .old], fileID: StaticString = #fileID,
      filePath: StaticString = #filePath, line: UInt = #line
    ) throws(KVError) {
      self.init(description: "\(type(of: object)).\(path) becomes \(shown(expectedValue))")
      let location = KVTestLocation(fileID: fileID, filePath: filePath, line: line)
      try observe(object, path, options.union(.new), location) { change in
        !change.isPrior && Equality.areSame(change.wholeNew, expectedValue)
      }
    }

    /// Expects a change that a handler accepts.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - path: The path.
    ///   - options: What records carry, and when they come.
    ///   - fileID: Where the registration is listed; the caller's file.
    ///   - filePath: The path of that file, where XCTest reports what it calls violations of its API.
    ///   - line: The caller's line.
    ///   - handler: Called with each record where the change is made; whether that fulfils the expectation.
    /// - Throws: ``KVError``, as `observe` does.
    public convenience init(
      of object: some KVObservable, _ path: KVKeyPath, options: KVObservingOptions = [.old, .new],
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
      handler: @escaping (KVChange) -> Bool
    ) throws(KVError) {
      self.init(description: "\(type(of: object)).\(path) changes as wanted")
      try observe(object, path, options, KVTestLocation(fileID: fileID, filePath: filePath, line: line), handler)
    }

    /// Observes nothing any more; otherwise it does so until XCTest lets go of it, shortly after it was waited for.
    public func stop() {
      token.withLock { token in
        defer { token = nil }
        return token
      }?.cancel()
    }

    private func observe(
      _ object: some KVObservable, _ path: KVKeyPath, _ options: KVObservingOptions, _ location: KVTestLocation,
      _ test: @escaping (KVChange) -> Bool
    ) throws(KVError) {
      let token = try object.observe(
        path, options: options, file: location.staticFileID, line: UInt(location.line)
      ) { [weak self] change in
        if test(change) { self?.fulfill(at: location) }
      }
      self.token.withLock { $0 = token }
    }

    private func fulfill(at location: KVTestLocation) {
      #if canImport(ObjectiveC)
        fulfill()
      #else
        fulfill(location.staticFilePath, line: location.line)
      #endif
    }
  }
#endif
