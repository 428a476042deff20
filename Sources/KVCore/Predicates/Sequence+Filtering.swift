extension Sequence {
  /// Returns the elements that pass a predicate, in their order (FLT.19).
  ///
  /// ```swift
  /// try songs.filter("year >= 2020 AND ANY tags == 'live'")
  /// ```
  ///
  /// - Parameter predicate: The predicate.
  /// - Throws: ``KVError``: the error of the first element that fails, with its index; see
  ///   ``KVPredicate/evaluate(with:variables:)``.
  /// - Complexity: O(*n*) evaluations.
  public func filter(_ predicate: KVPredicate) throws(KVError) -> [Element] {
    let program = try predicate.program()
    let isObject = Element.self is AnyClass
    var result: [Element] = []
    var index = 0
    for element in self {
      do throws(KVError) {
        let frame =
          isObject ? PredicateFrame(object(in: element), [:]) : PredicateFrame(element, [:])
        if try program.test(frame) { result.append(element) }
      } catch {
        throw error.ofElement(index, isOrdered: true)
      }
      index += 1
    }
    return result
  }
}
