import KVCore

/// An object that resolves key paths from objects and values that it chooses, as the selection of a controller does.
package protocol OwnersResolving: PathResolving {
  /// Whether a write to the present owners would be refused, whatever the value is.
  var isReadOnly: Bool { get }

  /// Returns an object that resolves paths from the present owners further; nil if one is a value without a place of its
  /// own.
  func captureOwners() -> (any CapturedOwners)?
}

/// An object that resolves key paths from the owners of a former time.
package protocol CapturedOwners: PathResolving {
  /// The number of owners at that time.
  var count: Int { get }

  func isSame(as other: any CapturedOwners) -> Bool
}

extension KVKeyPath {
  /// Returns what has the last key of the path behind each owner; nil where the path does not lead there.
  func leafOwners(of owners: [Any]) -> [Any?] {
    guard count > 1 else { return owners }
    let parent = try? part(Array(components[..<(count - 1)]))
    return owners.map { owner in parent.flatMap { (try? KVC.value(of: owner, forKeyPath: $0)) ?? nil } }
  }
}
