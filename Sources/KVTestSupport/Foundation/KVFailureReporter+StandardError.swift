import Foundation

extension KVFailureReporter {
  /// A reporter that writes to standard error in the format of a compiler, for programs that are not tests.
  package static let standardError = KVFailureReporter { failure in
    let location = failure.location
    FileHandle.standardError.write(Data("\(location.filePath):\(location.line): error: \(failure.message)\n".utf8))
  }
}

/// Returns whether a program with these arguments runs tests.
func runsTests(_ arguments: [String]) -> Bool {
  let name = arguments.first.map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
  // SwiftPM's bundles end in `.xctest`; its programs for them end in `-test-runner` if Swift Build creates them. The
  // agent of Xcode is `xctest`. Swift Testing has a helper on Apple's platforms.
  return name.hasSuffix("xctest") || name.hasSuffix("-test-runner") || name == "swiftpm-testing-helper"
    || arguments.contains("--testing-library")
}
