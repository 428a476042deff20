import KVCore
import Testing

/// Fails the test, at the line of the call, unless a body throws an error with a code.
package func expect(
  _ code: KVError.Code, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  do {
    try body()
    Issue.record("no error", sourceLocation: sourceLocation)
  } catch {
    #expect((error as? KVError)?.code == code, sourceLocation: sourceLocation)
  }
}
