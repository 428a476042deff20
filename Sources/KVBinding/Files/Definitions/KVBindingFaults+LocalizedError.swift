import Foundation

extension KVBindingFaults: LocalizedError {
  /// The sentences of all faults, for those who print `localizedDescription`.
  public var errorDescription: String? { description }
}
