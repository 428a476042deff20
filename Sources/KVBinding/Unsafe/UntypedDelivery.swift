import KVCore

extension Registration {
  /// Passes the record of a notice to the handler; that of a setting is unretained, as ``Unretained`` describes.
  func passRecord(_ notice: borrowing _KVChangeNotice) {
    // Where the record of a longer path has a `weak` reference, that is known by its address.
    guard notice.phase == .change, notice.kind == .setting, chain == nil || _isBitwiseTakable(KVChange.self) else {
      if let root = root(notice) { sink.handler(record(notice, root)) }
      return
    }
    if chain == nil { return passRecord(notice, notice.reference, changed: nil) }
    guard let root = root(notice) else { return }
    let changed = notice.reference._withUnsafeGuaranteedRef { WeakReference($0) }
    passRecord(notice, .passUnretained(root), changed: changed)
    withExtendedLifetime(root) {}
  }

  @inline(__always)
  private func passRecord(
    _ notice: borrowing _KVChangeNotice, _ root: Unmanaged<AnyObject>, changed: WeakReference<AnyObject>?
  ) {
    let (hasOld, hasNew) = (options.contains(.old) && notice.hasOldValue, options.contains(.new) && notice.hasNewValue)
    notice.withBoxes { old, new in
      withUnsafePointer(to: root) { root in
        withUnsafePointer(to: path) { path in
          withUnsafePointer(to: changed) { changed in
            withUnretainedChange(sink.handler) {
              KVChange(
                object: unretainedValue(at: root, as: AnyObject.self),
                keyPath: unretainedValue(at: path, as: KVKeyPath.self), kind: .setting,
                old: hasOld ? unretainedValue(at: old, as: Any?.self) : nil,
                new: hasNew ? unretainedValue(at: new, as: Any?.self) : nil, hasOld: hasOld, hasNew: hasNew,
                indexes: nil, isPrior: false, isInitial: false,
                changed: unretainedValue(at: changed, as: WeakReference<AnyObject>?.self))
            }
          }
        }
      }
    }
  }
}
