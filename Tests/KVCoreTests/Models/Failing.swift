import KVCore
import Testing

/// Returns the error that an expression throws; records an issue if it throws none.
func failure<Result>(
  _ body: () throws(KVError) -> Result, sourceLocation: SourceLocation = #_sourceLocation
) -> KVError? {
  do throws(KVError) {
    _ = try body()
  } catch {
    return error
  }
  Issue.record("nothing was thrown", sourceLocation: sourceLocation)
  return nil
}
