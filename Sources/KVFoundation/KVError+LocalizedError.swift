import Foundation
import KVCore

extension KVError {
  /// The sentence of the error, for those who print `localizedDescription`.
  public var errorDescription: String? { description }
}
