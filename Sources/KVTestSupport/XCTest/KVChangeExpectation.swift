#if canImport(XCTest)
  import KVCore
  import XCTest

  /// An expectation of XCTest that a change fulfills: the equivalent of Cocoa's `XCTKVOExpectation` (TST.2).
  ///
  /// ```swift
  /// let loaded = try keyValueObservingExpectation(for: download, keyPath: "progress", expectedValue: 1.0)
  /// download.start()
  /// wait(for: [loaded], timeout: 5)
  /// ```
  ///
  /// It is for XCTest only, which reports it at the line of `wait`. Tests of Swift Testing use
  /// ``expectChange(of:_:to:acceptsCurrentValue:within:clock:isolation:fileID:filePath:line:column:during:)``. Like any
  /// expectation it can be inverted and counted. For an undefined path `XCTKVOExpectation` raises an exception; this
  /// class throws.
  public final class KVChangeExpectation: XCTestExpectation, @unchecked Sendable {  // guard: `token` is locked
    private let token = Locked<KVObservation?>(nil)

    /// Expects any change of a key path.
    ///
    /// - Parameters:
    ///   - object: The object to observe.
    ///   - path: The key path.
    ///   - options: The options of the observation, which determine the changes that count.
    ///   - fileID: The file of the caller, for listings.
    ///   - filePath: The path of the caller's file, where XCTest reports violations of its API.
    ///   - line: The line of the caller.
    /// - Throws: ``KVError``: the errors of `observe`.
    package convenience init(
      of object: some KVObservable, _ path: KVKeyPath, options: KVObservingOptions = [.old, .new],
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
    ) throws(KVError) {
      self.init(description: "\(type(of: object)).\(path) changes")
      try observe(object, path, options, KVTestLocation(fileID: fileID, filePath: filePath, line: line)) { _ in true }
    }

    /// Expects a key path to have a value; a value that is present at the beginning fulfills it at once, as in XCTest.
    ///
    /// - Parameters:
    ///   - object: The object to observe.
    ///   - path: The key path.
    ///   - expectedValue: The value, compared by the rule CO.7; NaN matches NaN.
    ///   - options: The options of the observation. Without `.initial` only a change fulfills the expectation.
    ///   - fileID: The file of the caller, for listings.
    ///   - filePath: The path of the caller's file, where XCTest reports violations of its API.
    ///   - line: The line of the caller.
    /// - Throws: ``KVError``: the errors of `observe`.
    package convenience init(
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
    ///   - object: The object to observe.
    ///   - path: The key path.
    ///   - options: The contents and times of the records.
    ///   - fileID: The file of the caller, for listings.
    ///   - filePath: The path of the caller's file, where XCTest reports violations of its API.
    ///   - line: The line of the caller.
    ///   - handler: A closure that receives each record, on the thread of the change, and returns whether it fulfills
    ///     the expectation.
    /// - Throws: ``KVError``: the errors of `observe`.
    package convenience init(
      of object: some KVObservable, _ path: KVKeyPath, options: KVObservingOptions = [.old, .new],
      fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
      handler: @escaping (KVChange) -> Bool
    ) throws(KVError) {
      self.init(description: "\(type(of: object)).\(path) changes as wanted")
      try observe(object, path, options, KVTestLocation(fileID: fileID, filePath: filePath, line: line), handler)
    }

    /// Stops observing; otherwise the expectation observes until XCTest releases it, shortly after the wait.
    public func cancel() {
      token.exchange(nil)?.cancel()
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
