import KVCore

extension Registration {
  /// Passes the record of a notice to a handler; that of a setting is unretained, as ``Unretained`` describes.
  @inline(__always)
  func passRecord(_ notice: borrowing _KVChangeNotice, to handler: (KVChange) -> Void) {
    // Where the record of a longer path has a `weak` reference, that is known by its address.
    guard notice.phase == .change, notice.kind == .setting, chain == nil || _isBitwiseTakable(KVChange.self) else {
      if let root = root(notice) { handler(record(notice, root)) }
      return
    }
    if chain == nil { return passRecord(notice, notice.reference, isOfPath: false, to: handler) }
    guard let root = root(notice) else { return }
    passRecord(notice, _KVReference(root), isOfPath: true, to: handler)
    withExtendedLifetime(root) {}
  }

  @inline(__always)
  private func passRecord(
    _ notice: borrowing _KVChangeNotice, _ root: _KVReference<AnyObject>, isOfPath: Bool,
    to handler: (KVChange) -> Void
  ) {
    let (hasOld, hasNew) = (options.contains(.old) && notice.hasOldValue, options.contains(.new) && notice.hasNewValue)
    notice.withBoxes { old, new in
      withAddress(of: root) { root in
        withAddress(of: path) { path in
          // The bits of a reference that does not retain: the address of the object, twice.
          withAddress(of: (notice.reference, notice.reference)) { changed in
            withUnretainedChange(handler) {
              KVChange(
                object: unretainedValue(at: Address(root), as: AnyObject.self),
                keyPath: unretainedValue(at: Address(path), as: KVKeyPath.self), kind: .setting,
                old: hasOld ? unretainedValue(at: Address(old), as: Any?.self) : nil,
                new: hasNew ? unretainedValue(at: Address(new), as: Any?.self) : nil, hasOld: hasOld, hasNew: hasNew,
                indexes: nil, isPrior: false, isInitial: false,
                changed: isOfPath ? unretainedValue(at: Address(changed), as: WeakReference<AnyObject>.self) : nil)
            }
          }
        }
      }
    }
  }
}
