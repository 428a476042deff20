import KVCore

extension PendingChange {
  /// The notification of one registration.
  ///
  /// It counts no references. The lists of the snapshots retain the registrations, and the snapshots the objects. The
  /// pending change retains all others (`kept`).
  struct PendingNotification {
    let registration: _KVReference<Registration>
    let object: _KVReference<AnyObject>
    let key: KVKey
    /// The component of the registration's path that changes.
    let depth: Int32
    /// Whether that is the last one.
    let isLeaf: Bool
    /// Whether the key that is being set is the leaf of the registration's path.
    let isDirect: Bool
    /// Whether the pending change reads the old and the new value, instead of taking them from the notice.
    let isRead: Bool
    /// Whether only the new value is read.
    let omitsOldValue: Bool
    let wantsPrior: Bool
    /// Whether the pending change has read the old value.
    let isOldRead: Bool
    /// Whether the pending change has read the new value.
    var isNewRead = false
    /// Whether no value may be read, since the path may lead through a property that is being set; see
    /// ``PathChain/DeallocationEffect``.
    var isUnreadable = false
    var old: Any?
    var new: Any?

    /// The number of earlier notifications among which the same value is searched; those of a key are close together.
    static let searched = 16

    /// Returns whether the values of another notification are the same.
    func hasValue(of other: PendingNotification) -> Bool {
      guard object.identity == other.object.identity, isLeaf == other.isLeaf, depth == other.depth || isLeaf else {
        return false
      }
      return registration.borrow { registration in
        other.registration.borrow { other in
          isLeaf ? registration.path.last == other.path.last : registration.path.isSame(as: other.path)
        }
      }
    }

    /// Whether the path of the registration still leads to the object, if that is the one whose key is being set.
    var isAttached: Bool {
      !isDirect || registration.borrow { $0.chain?.leads(to: object.identity, at: Int(depth)) ?? true }
    }

    /// Calls a function with the notice of a notification's values, which are not copied.
    @inline(__always)
    static func withNotice(
      of notification: AddressOf<PendingNotification>, _ isOldKnown: Bool, _ phase: _KVChangeNotice.Phase,
      _ body: (borrowing _KVChangeNotice) -> Void
    ) {
      withAddress(of: &notification.pointee.old) { old in
        withAddress(of: &notification.pointee.new) { new in
          notification.pointee.object.borrow { object in
            body(
              _KVChangeNotice(
                object: object, key: notification.pointee.key, valueType: Any?.self,
                oldAddress: isOldKnown ? Address(old) : nil, newAddress: Address(new),
                boxer: Boxer<Any?>.self, phase: phase))
          }
        }
      }
    }

    var order: UInt32 { registration.borrow { $0.order } }
  }

  /// Returns whether a registration is among the notifications: by index, which copies no values.
  func hasNotification(of identity: UInt) -> Bool {
    notifications.withUnsafeBufferPointer { all in
      all.indices.contains { all[$0].registration.identity == identity }
    }
  }

  /// Calls a function with each notification, after all have been collected; the function can run user code.
  @inline(__always)
  func forEachNotification(_ body: (AddressOf<PendingNotification>) -> Void) {
    var notifications: ContiguousArray<PendingNotification> = []
    swap(&notifications, &self.notifications)
    notifications.withUnsafeMutableBufferPointer { notifications in
      guard let first = notifications.baseAddress else { return }
      for index in 0..<notifications.count { body(AddressOf(first + index)) }
    }
    swap(&notifications, &self.notifications)
  }
}
