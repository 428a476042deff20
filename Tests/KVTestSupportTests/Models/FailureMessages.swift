import KVTestSupport

/// Returns the messages of the failures that a body reports.
func messages(_ body: () throws -> Void) rethrows -> [String] {
  try KVFailureReporter.capturing(body).map(\.message)
}
