import KVCore

extension ChangeRun {
  /// The elements of a collection after a change: the operators of several paths share one call of the getter (KVO.1).
  private struct ElementReading {
    let root: ObjectIdentifier
    let path: KVKeyPath
    let elements: [Any]
  }

  /// Lets the paths and elements follow that have been registered since the change began.
  ///
  /// A `prior` handler, the body of a manual change or another thread has registered them at the old value of the key. They
  /// are not notified (KVO.7).
  func followNew(_ current: ChangePlan) {
    for (link, objectIndex) in current.links {
      if let object = objectIndex < 0 ? object?.object : current.objects[objectIndex].object { link.follow(object) }
    }
    for new in current.followings where !plan.followings.contains(where: { $0.registration === new.registration }) {
      new.tracker.reload(new.registration)
    }
  }

  /// Lets the trackers of elements follow the change of a key.
  func followElements(_ notice: borrowing _KVChangeNotice) {
    var reading: ElementReading?
    for index in plan.followings.indices {
      let following = plan.followings[index]
      if following.isIncremental, notice.kind != .setting {
        following.tracker.follow(notice, following.registration)
      } else {
        reload(index, &reading)
      }
    }
  }

  /// Lets the trackers follow the changes of several keys, or only those that can follow the changes by index.
  func followElements(of changes: [KeyChange], byIndexOnly: Bool = false) {
    var reading: ElementReading?
    for index in plan.followings.indices {
      let following = plan.followings[index]
      if following.isIncremental, let object, let change = changes.first(where: { $0.key == following.key }),
        change.kind != .setting
      {
        change.withNotice(of: object.object, .change) { following.tracker.follow($0, following.registration) }
      } else if !byIndexOnly {
        reload(index, &reading)
      }
    }
  }

  /// Lets a tracker follow the change by the present elements.
  private func reload(_ index: Int, _ reading: inout ElementReading?) {
    let (tracker, registration) = (plan.followings[index].tracker, plan.followings[index].registration)
    // A later change that has been followed meanwhile makes the elements stale.
    guard tracker.isPartOfPath, let root = registration.chain?.rootID,
      tracker.changes == state.pointee.followed[index].pointee
    else {
      return tracker.reload(registration)
    }
    if let reading, reading.root == root, reading.path.isSame(as: registration.path) {
      return tracker.reload(registration, reading.elements)
    }
    let elements = tracker.presentElements(of: registration)
    reading = ElementReading(root: root, path: registration.path, elements: elements)
    tracker.reload(registration, elements)
  }
}
