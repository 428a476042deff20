import KVCore

// Swift's own key paths have no keys. The compiler cannot tell the root of `\.name` without these.

extension KVObservable {
  /// Unavailable: observe the text of the path, or a ``KVTypedKeyPath``.
  @available(
    *, unavailable,
    message: """
      a Swift key path names no key: observe("name"), or observe(KVTypedKeyPath(Person.self).name), which the compiler \
      checks
      """
  )
  public func observe<Value>(
    _ property: KeyPath<Self, Value>, options: KVObservingOptions = [.old, .new], handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    try observe("self", options: options, handler: handler)
  }

  /// Unavailable: observe the text of the path, or a ``KVTypedKeyPath``.
  @available(
    *, unavailable,
    message: """
      a Swift key path names no key: observe("name", owner: owner), or KVTypedKeyPath(Person.self).name, which the \
      compiler checks
      """
  )
  public func observe<Owner: AnyObject, Value>(
    _ property: KeyPath<Self, Value>, options: KVObservingOptions = [.old, .new], owner: Owner,
    handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    try observe("self", options: options, owner: owner, handler: handler)
  }
}

extension KeyValueCoding where Self: AnyObject {
  /// Unavailable: bind the texts of the paths, or ``KVTypedKeyPath``s.
  @available(
    *, unavailable,
    message: """
      a Swift key path names no key: bind("text", to: "title", of: song), or KVTypedKeyPath(Song.self).title, which the \
      compiler checks
      """
  )
  public func bind<Source: KVObservable, Value, SourceValue>(
    _ property: KeyPath<Self, Value>, to sourceProperty: KeyPath<Source, SourceValue>, of source: Source,
    options: KVBindingOptions = .oneWay
  ) throws(KVError) -> KVPathBinding {
    try bind("self", to: "self", of: source, options: options)
  }
}
