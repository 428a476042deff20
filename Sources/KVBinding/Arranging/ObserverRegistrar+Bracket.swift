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
    guard let registrar = existing(of: object), let open = OpenChange.of(key, in: registrar, where: { $0.live > 0 }),
      let list = open.list
    else { return body() }
    guard list.borrow({ $0.needsWillChange }) else {
      body()
      _KVChangeNotice.with(
        key, of: object, kind, at: indexes, from: old, to: new(), hasOld: kind != .insertion, hasNew: kind != .removal
      ) { registrar.deliver($0, to: list) }
      return
    }
    let run = ChangeRun.make(registrar.plan(key, of: object, list), open)
    _KVChangeNotice.with(
      key, of: object, kind, at: indexes, from: old, to: [], hasOld: kind != .insertion, hasNew: false
    ) { run.begin($0) }
    body()
    _KVChangeNotice.with(
      key, of: object, kind, at: indexes, from: old, to: new(), hasOld: kind != .insertion, hasNew: kind != .removal
    ) { run.finish($0, registrar) }
  }
}
