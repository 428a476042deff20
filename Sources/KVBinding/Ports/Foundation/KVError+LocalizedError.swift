import Foundation

extension KVError: LocalizedError {
  /// The sentence of the error, for those who print `localizedDescription`.
  public var errorDescription: String? { description }
}
