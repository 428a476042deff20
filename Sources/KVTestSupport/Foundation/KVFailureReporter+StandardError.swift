import Foundation

extension KVFailureReporter {
  /// Writes to standard error, as a compiler would: for programs that are no tests.
  public static let standardError = KVFailureReporter { failure in
    let place = failure.location
    FileHandle.standardError.write(Data("\(place.filePath):\(place.line): error: \(failure.message)\n".utf8))
  }
}

/// Whether a program with these arguments runs tests.
func runsTests(_ arguments: [String]) -> Bool {
  let name = arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
  // SwiftPM's bundles end in `.xctest`, and its programs for them in `-test-runner` where Swift Build makes them; Xcode's
  // agent is `xctest`; Swift Testing has a helper on Apple's platforms.
  return name.hasSuffix("xctest") || name.hasSuffix("-test-runner") || name == "swiftpm-testing-helper"
    || arguments.contains("--testing-library")
}
