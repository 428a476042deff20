#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

extension KVFailureReporter {
  /// The reporter to the framework that runs the test: as an issue of Swift Testing or a failure of XCTest.
  ///
  /// Swift Testing identifies its own tests, except in detached tasks and on queues; XCTest never does. If the
  /// framework is unknown, the failure is reported to both, and the one that does not run ignores it. A program that is
  /// not a test runs neither, so the failure is also written to standard error.
  public static let automatic = KVFailureReporter { failure in
    // This only guesses by the name of the program: a wrong guess must not keep a failure from its framework.
    if !runsTests(CommandLine.arguments) { standardError.report(failure) }
    #if canImport(Testing)
      swiftTesting.report(failure)
      if Test.current != nil { return }
    #endif
    xcTest.report(failure)
  }

  /// The reporter to Swift Testing; without effect in a test of XCTest.
  package static let swiftTesting = KVFailureReporter { failure in
    #if canImport(Testing)
      let location = failure.location
      Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: SourceLocation(
          fileID: location.fileID, filePath: location.filePath, line: max(1, location.line),
          column: max(1, location.column)))
    #endif
  }

  /// The reporter to XCTest; without effect in a test of Swift Testing.
  package static let xcTest = KVFailureReporter { failure in
    #if canImport(XCTest)
      XCTFail(failure.message, file: failure.location.staticFilePath, line: UInt(failure.location.line))
    #endif
  }
}
