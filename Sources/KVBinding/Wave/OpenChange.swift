import KVCore

/// The door through which every change goes: who holds it may deliver a change, and its end ends everything that a change
/// begins.
///
/// That is an iteration over the entries of each key that changes, a level of ``NestedDeliveries`` if another delivery of
/// a key is under way, and a change of the ``ChangeBoundary`` while somebody wants to know when outermost changes end.
struct OpenChange: ~Copyable {
  /// The entries of the key; nil if the change is not that of one key.
  let list: ListenerTable.List?
  /// The entries of several keys, retained by hand: nothing is released for a change of one key.
  private let others: _KVReference<Lists>?
  /// Whether another delivery of a key is under way, so that this one is a level.
  private let isNested: Bool
  private var hasLevel: Bool
  /// The boundary that the thread or the scope of the task retains.
  private var boundary: _KVReference<ChangeBoundary>?

  private final class Lists {
    let lists: ContiguousArray<ListenerTable.List>

    init(_ lists: ContiguousArray<ListenerTable.List>) { self.lists = lists }
  }

  @inline(__always)
  private init(
    _ list: ListenerTable.List?, _ others: _KVReference<Lists>? = nil, isNested: Bool,
    boundary: _KVReference<ChangeBoundary>? = .begun()
  ) {
    self.list = list
    self.others = others
    self.isNested = isNested
    hasLevel = isNested
    self.boundary = boundary
  }

  @inline(__always)
  deinit {
    if let list { ListenerList.endIteration(list) }
    if hasLevel || boundary != nil || others != nil { endRemaining() }
  }

  @inline(never)
  private func endRemaining() {
    if let others {
      for list in others.object.lists { ListenerList.endIteration(list) }
      others.release()
    }
    if hasLevel { NestedDeliveries.end() }
    boundary?.borrow { $0.end() }
  }

  /// Opens a change of a key; nil if nobody is to be notified of it, or if there is no room for the delivery (KVO.23).
  ///
  /// - Parameters:
  ///   - isPending: Whether the change needs twice the stack; see ``NestedDeliveries``.
  ///   - isReported: Whether a change for which the stack has no room is reported; the delivery after the change is, too.
  ///   - isWanted: A test of the entries, which is made under the lock of the registrar.
  @inline(__always)
  static func of(
    _ key: InternedKey, in registrar: ObserverRegistrar, isPending: Bool = true, isReported: Bool = true,
    where isWanted: (ListenerList) -> Bool
  ) -> OpenChange? {
    guard let (list, isNested) = registrar.beginIteration(of: key, where: isWanted) else { return nil }
    if isNested {
      if NestedDeliveries.begin(key, of: registrar.objectType, registrar.objectID, isPending: isPending) {
        return OpenChange(list, isNested: true)
      }
    } else {
      if DeliveryStack.isLeft { return OpenChange(list, isNested: false) }
      if isReported { NestedDeliveries.reportExhaustedStack(key, of: registrar.objectType, registrar.objectID) }
    }
    ListenerList.endIteration(list)
    return nil
  }

  /// Opens a change of several keys of an object, as ``of(_:in:isPending:isReported:where:)`` does of one.
  static func of(_ keys: [InternedKey], in registrar: ObserverRegistrar) -> OpenChange? {
    var (lists, nestedKey) = (ContiguousArray<ListenerTable.List>(), InternedKey?.none)
    for key in keys {
      guard let (list, isNested) = registrar.beginIteration(of: key, where: { $0.live > 0 }) else { continue }
      lists.append(list)
      if isNested { nestedKey = key }
    }
    guard let first = keys.first, !lists.isEmpty else { return nil }
    if let key = nestedKey {
      if NestedDeliveries.begin(key, of: registrar.objectType, registrar.objectID, isPending: true) {
        return OpenChange(nil, .retaining(Lists(lists)), isNested: true)
      }
    } else {
      if DeliveryStack.isLeft { return OpenChange(nil, .retaining(Lists(lists)), isNested: false) }
      NestedDeliveries.reportExhaustedStack(first, of: registrar.objectType, registrar.objectID)
    }
    for list in lists { ListenerList.endIteration(list) }
    return nil
  }

  /// Opens the delivery of what is not a change of a key that is being made: of what was deferred, or of a deallocation.
  ///
  /// Handlers can nest it without end, so that it is always a level.
  static func ofDelivery(_ key: InternedKey, of type: AnyClass, _ id: ObjectIdentifier) -> OpenChange? {
    NestedDeliveries.begin(key, of: type, id, isPending: true) ? OpenChange(nil, isNested: true) : nil
  }

  /// Opens a change that consists of others: they are one for those who want to know when outermost changes end.
  static func ofOthers() -> OpenChange { OpenChange(nil, isNested: false) }

  /// Opens a change that consists of others for somebody who wants to know, although nobody else may.
  static func ofOthers(in boundary: ChangeBoundary) -> OpenChange {
    OpenChange(nil, isNested: false, boundary: _KVReference(boundary.begun()))
  }

  // MARK: Changes by hand

  /// Lets the program make the change: its end may come on another thread, or never.
  mutating func pause() {
    if hasLevel { NestedDeliveries.end() }
    hasLevel = false
    boundary?.borrow { $0.end() }
    boundary = nil
  }

  /// Goes on with a change that the program has made; false if there is no room for the delivery.
  mutating func resume(_ key: InternedKey, _ registrar: ObserverRegistrar) -> Bool {
    if isNested {
      guard NestedDeliveries.begin(key, of: registrar.objectType, registrar.objectID, isPending: true) else {
        return false
      }
      hasLevel = true
    }
    boundary = .begun()
    return true
  }
}

extension _KVReference<ChangeBoundary> {
  /// The boundary after the begin of a change; nil if nobody is interested.
  @inline(__always)
  fileprivate static func begun() -> _KVReference? { ChangeBoundary.begin().map { _KVReference($0) } }
}
