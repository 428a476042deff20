import KVCore
import Testing

/// Expects an error of the package whose cause is one of the program.
package func expectCause<Cause: Error>(
  _ cause: Cause.Type, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
  let error = #expect(throws: KVError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == .custom && error?.underlying is Cause, sourceLocation: sourceLocation)
}
