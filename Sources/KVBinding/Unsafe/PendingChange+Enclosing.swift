import KVCore

// A setter of one key may set a key that the first key depends on, as that of `fahrenheit` sets `celsius`. If the first
// key is written by key, its change encloses the other one. Each observer that depends on both is notified once, by the
// enclosing change (DEP.3).

extension PendingChange {
  /// Records that a setter makes the change: it encloses changes on this thread until ``stopEnclosing()``.
  ///
  /// - Parameter isOfOthers: Whether the change consists of changes of other objects.
  func enclose(isOfOthers: Bool = false) {
    guard hasDependents || isOfOthers else { return }
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
    ThreadDeliveries.current.borrow { deliveries in
      for change in deliveries.enclosing {
        change.borrow { outer in
          let areDirect = Dictionary(
            outer.notifications.lazy.map { ($0.registration.identity, $0.isDirect) }, uniquingKeysWith: { $0 && $1 })
          notifications.removeAll { inner in
            areDirect[inner.registration.identity].map { outer.update != nil || !($0 && inner.isDirect) } ?? false
          }
        }
      }
    }
  }
}
