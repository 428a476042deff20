import KVCore

extension PendingChange {
  /// The elements of a collection after a change.
  struct ElementReading {
    let root: ObjectIdentifier
    let path: KVKeyPath
    let elements: [Any]
  }

  /// A registration of elements, which follows the change after it.
  struct Follower {
    let registration: Registration
    let tracker: ElementTracker
    /// The key that changes.
    let key: KVKey
    /// Whether it follows by the notice.
    let isIncremental: Bool
    /// The number of changes that the tracker had followed before.
    let changes: Int

    /// Follows the change by the present elements; the operators of several paths share one call of the getter (KVO.1).
    func followAnew(_ reading: inout ElementReading?) {
      // A later change that has been followed meanwhile makes the elements stale.
      guard tracker.isPartOfPath, let root = registration.chain?.rootID, tracker.changes == changes else {
        return tracker.followAnew(registration)
      }
      if let reading, reading.root == root, reading.path.isSame(as: registration.path) {
        return tracker.followAnew(registration, reading.elements)
      }
      let elements = tracker.presentElements(of: registration)
      reading = ElementReading(root: root, path: registration.path, elements: elements)
      tracker.followAnew(registration, elements)
    }
  }
}
