import KVCore

extension ObserverRegistrar {
  /// Makes a change of a key with manual notification, and notifies before and after it.
  ///
  /// Unlike a manual change (KVO.16), it reads no elements of the key: the caller knows them.
  ///
  /// - Parameters:
  ///   - old: The elements that are removed or replaced; of a setting all elements.
  ///   - new: Returns the elements that are inserted or replace; of a setting all elements. It is called after the body.
  ///   - body: Makes the change. It is called once, after all handlers that run before the change.
  static func change<Element>(
    _ key: KVKey, of object: KVObject, _ kind: KVChangeKind = .setting, at indexes: [Int]? = nil, from old: [Element],
    to new: @autoclosure () -> [Element], _ body: () -> Void
  ) {
    guard let registrar = existing(of: object),
      let (list, isNested) = registrar.beginDelivery(of: key, where: { $0.live > 0 }),
      registrar.continues(list, isNested, key, isPending: true)
    else { return body() }
    let boundary = ChangeBoundary.begin()
    guard list.borrow({ $0.needsWillChange }) else {
      body()
      _KVChangeNotice.with(
        key, of: object, kind, at: indexes, from: old, to: new(), hasOld: kind != .insertion, hasNew: kind != .removal
      ) { registrar.deliver($0, to: list) }
      ListenerList.endIteration(list)
      if isNested { NestedDeliveries.end() }
      return ChangeBoundary.end(boundary)
    }
    let pending = _KVChangeNotice.with(
      key, of: object, kind, at: indexes, from: old, to: [], hasOld: kind != .insertion, hasNew: false
    ) { PendingChange($0, list, registrar) }
    pending.boundary = boundary
    pending.isNested = isNested
    body()
    _KVChangeNotice.with(
      key, of: object, kind, at: indexes, from: old, to: new(), hasOld: kind != .insertion, hasNew: kind != .removal
    ) { pending.finish($0) }
  }
}
