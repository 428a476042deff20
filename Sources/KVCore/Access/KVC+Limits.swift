extension KVC {
  /// The maximum number of elements that one evaluation of a key path visits in collections of collections, and behind
  /// operators in operators (KVC.18); 10,000,000 by default.
  ///
  /// A path such as `children.parent.children` visits all children once for each child, so that the number grows with
  /// the power of the path's length. An evaluation that exceeds the limit throws `limitExceeded`. The elements of the
  /// outermost collection do not count. The limit applies to the comparisons of `@distinctUnionOf…` as well, if the
  /// values are not `Hashable`.
  ///
  /// The limit is that of the process; it can be set on any thread. A negative number counts as zero.
  public static var maximumElementCount: Int {
    get { Limits.elementCount }
    set { Limits.elementCount = max(0, newValue) }
  }
}
