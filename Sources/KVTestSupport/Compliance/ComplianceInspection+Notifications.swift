import KVBinding
import KVCore

// The checks of key-value observing: observers are notified of each change once, with the right values.

extension ComplianceInspection {
  /// Changes a key, and checks the records of this key and of all others.
  func checkNotification(_ key: ComplianceKey) throws {
    guard let writeAccess = key.writeAccess, !constantKeys.contains(key.name) else { return }
    let sample = try sample()
    let listed = keys.filter(\.isListed)
    guard let observer = observer(key, sample, and: listed.map(\.name)) else { return }
    let before = sample.values(of: keys)
    let value = value(for: key, in: sample)
    do throws(KVError) { try sample.change(key, to: value) } catch { return }
    let after = sample.values(of: keys)
    let write = KeyWrite(key: key, writeAccess: writeAccess, old: before[key.name] ?? nil, new: after[key.name] ?? nil)
    checkRecords(observer, of: write)
    try checkNotificationAlone(key, value)
    for other in listed
    where other.name != key.name && stableKeys.contains(other.name) && !misdeclaredKeys.contains(other.name) {
      let (old, new) = (before[other.name] ?? nil, after[other.name] ?? nil)
      if Similarity.areAlike(old, new) || !observer.records(of: other.name).isEmpty || depends(other, on: key) {
        continue
      }
      missedChanges.append(MissedChange(key: other.name, cause: key.name, old: old, new: new))
    }
  }

  /// Sets a key by key while nothing else is observed, which must not matter (DEP.3).
  private func checkNotificationAlone(_ key: ComplianceKey, _ value: Any?) throws {
    let sample = try sample()
    guard key.writeAccess == .byKey, let object = sample.observable else { return }
    let observer = ComplianceObserver(object, [KVKeyPath(singleKey: key.name)])
    let old = try sample.value(key.name)
    do throws(KVError) { try sample.change(key, to: value) } catch { return }
    if observer.records(of: key.name).isEmpty, has(.notNotified, key.name) || has(.setterNotObservable, key.name) {
      return
    }
    let write = KeyWrite(key: key, writeAccess: .byKey, old: old, new: try sample.value(key.name))
    checkRecords(observer, of: write, isAlone: true)
  }

  /// Sets the property of a key in Swift, if a write by key notifies.
  func checkNotificationInSwift(_ key: ComplianceKey) throws {
    guard key.writeAccess == .byKey, key.isNativelyWritable, !has(.notNotified, key.name) else { return }
    let sample = try sample()
    guard let observer = observer(key, sample, and: []) else { return }
    let old = try sample.value(key.name)
    sample.setInSwift(value(for: key, in: sample), key)
    checkRecords(observer, of: KeyWrite(key: key, writeAccess: .inSwift, old: old, new: try sample.value(key.name)))
  }

  private func observer(_ key: ComplianceKey, _ sample: ComplianceSample, and others: [String]) -> ComplianceObserver? {
    sample.observable.map { object in
      ComplianceObserver(object, ([key.name] + key.aliases + others).map(KVKeyPath.init(singleKey:)) + key.affecting)
    }
  }

  private func checkRecords(_ observer: ComplianceObserver, of write: KeyWrite, isAlone: Bool = false) {
    let key = write.key
    let records = observer.records(of: key.name)
    // In Swift, each path that the key depends on may notify, and the key with it (DEP.3).
    let paths = write.writeAccess == .inSwift ? key.affecting : []
    let most = paths.reduce(1) { $0 + observer.records(of: $1.description).count }
    if records.isEmpty {
      write.writeAccess == .byKey ? reportNotNotified(write) : reportSetterNotObservable(write)
    } else if records.count > most {
      if has(.notifiedTwice, key.name) { return }
      report(
        .notifiedTwice, key.name,
        """
        \(write.text), and notified \(records.count) times. If the setter notifies by itself, say notifiesManually() in the \
        line; else let it notify once.
        """)
    } else if let old = records.first, let new = records.last, stableKeys.contains(key.name) {
      checkRecords(old.old, new.new, kinds: Set(records.map(\.kind)), of: write)
    }
    if isAlone { return }
    for alias in key.aliases where !records.isEmpty && observer.records(of: alias).isEmpty {
      report(
        .notNotified, alias, "\(write.text), and notified under that name, but not as \"\(alias)\". Remove the alias.")
    }
  }

  private func checkRecords(_ old: Any?, _ new: Any?, kinds: Set<KVChange.Kind>, of write: KeyWrite) {
    guard kinds == [.setting], !has(.wrongRecord, write.key.name) else { return }
    if Similarity.areAlike(old, write.old), Similarity.areAlike(new, write.new) { return }
    report(
      .wrongRecord, write.key.name,
      """
      \(write.text), and notified as a change from \(brief(old)) to \(brief(new)). Call willChangeValue(forKey:) before the \
      value changes and didChangeValue(forKey:) after it, as withChange(forKey:) does.
      """)
  }

  private func reportNotNotified(_ write: KeyWrite) {
    let name = write.key.name
    if write.key.isManual {
      report(
        .notNotified, name,
        """
        \(write.text), and no observer was notified: its line says notifiesManually(). Notify of the change by withChange(forKey:), or \
        take notifiesManually() away.
        """)
    } else {
      report(
        .notNotified, name,
        """
        \(write.text), and no observer was notified. If another line lists the same property, make one of the two names an alias \
        of the other.
        """)
    }
  }

  private func reportSetterNotObservable(_ write: KeyWrite) {
    report(
      .setterNotObservable, write.key.name,
      """
      \(write.text), and no observer was notified. Make the property a @KVProperty, or declare what it depends on with \
      affected(by:).
      """)
  }
}

/// A write of a key.
private struct KeyWrite {
  let key: ComplianceKey
  let writeAccess: ComplianceKey.WriteAccess
  let old: Any?
  let new: Any?

  /// The beginning of messages: the key, its values and the way of the write.
  var text: String {
    let change = Similarity.areAlike(old, new) ? "to \(brief(new)) again" : "from \(brief(old)) to \(brief(new))"
    return "\"\(key.name)\" was set \(change) \(writeAccess == .byKey ? "by key" : "in Swift")"
  }
}
