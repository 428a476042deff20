import KVCore

extension KVPathBinding: KVObservable {
  /// The keys that can be observed: `state` and `lastError` (BND.14).
  public static var keyTable: KVTable {
    KVTable(KVPathBinding.self, listedKeysOnly: true) { key in
      key("state", \.state).notifiesManually()
      key("lastError", \.lastError).notifiesManually()
    }.hidingStorage()
  }
}

extension KVPathBinding {
  /// The state of the binding, whose key can be observed (BND.14).
  public var state: KVBindingState { core?.state ?? .ended }
  /// The error of the last change; nil after a change was propagated (BND.11).
  ///
  /// Its key can be observed (BND.14).
  public var lastError: KVError? { read({ $0.error }, { $0.error }) }
  /// Whether it has not ended.
  public var isActive: Bool { core.map { !$0.endIfDead() } ?? false }
  /// Whether a change of the target has not been committed yet; see ``commit()``.
  public var hasPendingEdit: Bool { core?.hasEdit ?? false }

  /// Called with the error of each failure, on its thread, after ``state`` and ``lastError`` have changed (BND.14).
  ///
  /// ```swift
  /// try field.bind("text", to: "age", of: user, options: .twoWay).onError = { error in form.show(error) }
  /// ```
  ///
  /// A failure while the binding is made is thrown instead. The closure is released when the binding ends.
  public var onError: ((KVError) -> Void)? {
    get { core?.status.withLock { $0.onError } }
    set {
      let old = core?.status.withLock { status in
        defer { if status.state != .ended { status.onError = newValue } }
        return status.onError
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Whether all actions of the binding are reported through ``KVDiagnostics``, at any level.
  public var isTraced: Bool {
    get { core?.isTraced.load(ordering: .relaxed) ?? false }
    set { core?.isTraced.store(newValue, ordering: .relaxed) }
  }
}
