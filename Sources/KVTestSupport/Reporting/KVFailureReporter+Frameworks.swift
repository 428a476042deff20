#if canImport(Testing)
  import Testing
#endif
#if canImport(XCTest)
  import XCTest
#endif

extension KVFailureReporter {
  /// Tells whichever framework runs the test: an issue of Swift Testing, or a failure of XCTest.
  ///
  /// Inside of a test of Swift Testing that framework says so itself. It does not in a detached task or on a queue, nor
  /// does XCTest ever: there both are told, and the one that does not run takes no notice. In a program that is no test
  /// neither does, so the failure goes to ``standardError`` as well.
  public static let automatic = KVFailureReporter { failure in
    // Only a guess by the name of the program: a wrong one must not keep a failure from its framework.
    if !runsTests(CommandLine.arguments) { standardError.report(failure) }
    #if canImport(Testing)
      swiftTesting.report(failure)
      if Test.current != nil { return }
    #endif
    xcTest.report(failure)
  }

  /// Tells Swift Testing; of no effect in a test of XCTest.
  public static let swiftTesting = KVFailureReporter { failure in
    #if canImport(Testing)
      let place = failure.location
      Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: SourceLocation(
          fileID: place.fileID, filePath: place.filePath, line: max(1, place.line), column: max(1, place.column)))
    #endif
  }

  /// Tells XCTest; of no effect in a test of Swift Testing.
  public static let xcTest = KVFailureReporter { failure in
    #if canImport(XCTest)
      XCTFail(failure.message, file: failure.location.staticFilePath, line: UInt(failure.location.line))
    #endif
  }
}
