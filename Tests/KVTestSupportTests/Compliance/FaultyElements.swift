import KVTestSupport

// Models whose to-many functions do not comply.

/// Appends whatever the index is.
final class Appending: KVObject {
  private var list = ["a"]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Appending.self) { key in
      key("rows") { $0.list }.indexed(
        insert: {
          $0.list.append($1); _ = $2
        }, remove: { $0.list.remove(at: $1) })
    }
  }
}

/// Removes the first element whatever the index is.
final class RemovingFirst: KVObject {
  private var list = ["a"]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: RemovingFirst.self) { key in
      key("rows") { $0.list }.indexedInBulk(
        insert: { for (element, index) in zip($1, $2) { $0.list.insert(element, at: index) } },
        remove: { $0.list.removeFirst($1.count) },
        replace: { for (index, element) in zip($1, $2) { $0.list[index] = element } })
    }
  }
}

/// Never removes a member.
final class KeepingMembers: KVObject {
  private var members: Set<Int> = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: KeepingMembers.self) { key in
      key("tags") { $0.members }.unordered(add: { $0.members.formUnion($1) }, remove: { _, _ in })
    }
  }
}

/// Tells by hand what the view tells.
final class NotifyingElementsTwice: KVObject {
  private var list = ["a"]

  private func insert(_ element: String, at index: Int) {
    withChange(.insertion, at: [index], forKey: "rows") { list.insert(element, at: index) }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: NotifyingElementsTwice.self) { key in
      key("rows") { $0.list }.indexed(insert: { $0.insert($1, at: $2) }, remove: { $0.list.remove(at: $1) })
    }
  }
}

/// Tells by hand, and all insertions as at the start.
final class NotifyingWrongIndexes: KVObject {
  private var list = ["a"]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: NotifyingWrongIndexes.self) { key in
      key("rows") { $0.list }.notifiesManually().indexed(
        insert: { object, element, index in
          object.withChange(.insertion, at: [0], forKey: "rows") { object.list.insert(element, at: index) }
        },
        remove: { object, index in
          _ = object.withChange(.removal, at: [index], forKey: "rows") { object.list.remove(at: index) }
        })
    }
  }
}

/// Tells by hand, and insertions as settings.
final class NotifyingElementsAsSettings: KVObject {
  private var members: Set<Int> = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: NotifyingElementsAsSettings.self) { key in
      key("tags") { $0.members }.notifiesManually().unordered(
        add: { object, added in object.withChange(forKey: "tags") { object.members.formUnion(added) } },
        remove: { object, removed in
          object.withChange(.removal, members: removed, forKey: "tags") { object.members.subtract(removed) }
        })
    }
  }
}
