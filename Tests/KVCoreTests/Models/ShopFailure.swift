import KVCore

/// Returns the code of the error that a body throws, or nil if it throws none.
func failureCode(_ body: () throws(KVError) -> Void) -> KVError.Code? {
  do throws(KVError) {
    try body()
    return nil
  } catch {
    return error.code
  }
}
