import KVCore

// A setter of one key may set a key that the first key depends on, as that of `fahrenheit` sets `celsius`. If the first
// key is written by key, its change encloses the other one. Each observer of the first key, and each one that depends on
// both, is notified once, by the enclosing change (DEP.3).

extension PendingChange {
  /// Records that a setter makes the change: it encloses changes on this thread until ``stopEnclosing()``.
  ///
  /// - Parameter always: Whether the change encloses others though no dependent key is observed: its key depends on others,
  ///   or it consists of changes of other objects.
  func enclose(always: Bool) {
    guard hasDependents || always else { return }
    isEnclosing = true
    ThreadDeliveries.current.borrow { $0.enclosing.append(_KVReference(self)) }
  }

  /// Records that the change was made.
  func stopEnclosing() {
    isEnclosing = false
    let identity = _KVReference(self).identity
    ThreadDeliveries.current.borrow { deliveries in
      guard let index = deliveries.enclosing.lastIndex(where: { $0.identity == identity }) else { return }
      deliveries.enclosing.remove(at: index)
    }
  }

  /// Removes the notifications that an enclosing change of the thread delivers.
  ///
  /// A registration is notified of both changes if it observes both keys: a setter that sets its own key makes two
  /// changes (KVO.14).
  func removeEnclosed() {
    if ThreadDeliveries.current.borrow({ $0.enclosing.isEmpty }) { return }
    notifications.removeAll { Self.isEnclosed($0.registration.identity, isDirect: $0.isDirect) }
  }

  /// Returns whether an enclosing change of the thread delivers the notification of a registration.
  static func isEnclosed(_ identity: UInt, isDirect: Bool) -> Bool {
    ThreadDeliveries.current.borrow { deliveries in
      deliveries.enclosing.contains { $0.borrow { $0.encloses(identity, isDirect: isDirect) } }
    }
  }

  private func encloses(_ identity: UInt, isDirect: Bool) -> Bool {
    if enclosed.isEmpty {
      enclosed = Dictionary(
        notifications.lazy.map { ($0.registration.identity, (isDirect: $0.isDirect, isNeeded: false)) },
        uniquingKeysWith: { ($0.isDirect && $1.isDirect, false) })
    }
    guard let index = enclosed.index(forKey: identity),
      update != nil || !(isDirect && enclosed.values[index].isDirect)
    else { return false }
    enclosed.values[index].isNeeded = true
    return true
  }

  /// Whether nobody has to know that the setter has failed: no observer ran before it, and it has changed nothing.
  var isAbandoned: Bool {
    source?.list?.borrow { $0.onlyEncloses } == true && enclosed.values.allSatisfy { !$0.isNeeded }
  }

  /// Returns whether the change has enclosed another one that would have notified a registration.
  func hasEnclosed(_ notification: PendingNotification) -> Bool {
    enclosed[notification.registration.identity]?.isNeeded == true
  }
}
