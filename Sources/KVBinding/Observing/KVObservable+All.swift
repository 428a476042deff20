import KVCore

extension KVObservable {
  /// Observes all keys of the table that can notify, with one handler (KVO.25).
  ///
  /// ```swift
  /// let token = try person.observeAll { change in print(change.keyPath, change.new as Any) }
  /// ```
  ///
  /// A change of one property notifies of its key and of each key that depends on it. Of a ``KVRecord`` the keys are
  /// observed that it has now.
  ///
  /// - Parameters:
  ///   - options: The contents of the records, and when they are delivered.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives the changes; the key is their `keyPath`.
  /// - Returns: One token for all keys, whose release cancels the observation.
  /// - Throws: ``KVError``: `notObservable` if no key can notify.
  /// - Complexity: O(1) for each key.
  public func observeAll(
    options: KVObservingOptions = [.old, .new], file: StaticString = #fileID, line: UInt = #line,
    handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    var registrations: [Registration] = []
    for key in try KVC.keys(of: self) where !key.isReflected || self is KVRecord {
      let path = KVKeyPath(listedKey: key.name)
      let registration = Registration(path, options, Site(file, line), .records(handler))
      do throws(KVError) {
        try registration.attach(to: self)
        registrations.append(registration)
      } catch {
        if error.code == .notObservable { continue }
        for registration in registrations { registration.cancel() }
        throw error
      }
    }
    if registrations.isEmpty {
      throw KVError(
        .notObservable, "no key of \(type(of: self)) notifies of changes. List an @KVProperty in its table.",
        rootType: "\(type(of: self))")
    }
    let observation = KVObservation(registrations)
    for registration in registrations where registration.wantsInitial { registration.receiveInitial(self) }
    return observation
  }
}
