extension KVObservable {
  /// Does nothing: a model that Swift's Observation knows declares a deprecated function of this name, by which its
  /// subclasses without `.observation` get a warning (OBV.1).
  ///
  /// It is not API: the code that ``KVModel(_:)`` generates calls it.
  public static func _untracked() {}
}
