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
    let elements = Array(self)
    var matches: [Int] = []
    if Element.self is AnyClass {
      try PredicateFrame.forEachObject(of: elements) { index, frame throws(KVError) in
        if try program.test(frame) { matches.append(index) }
      }
    } else {
      for (index, element) in elements.enumerated() {
        do throws(KVError) {
          if try program.test(PredicateFrame(element, [:])) { matches.append(index) }
        } catch {
          throw error.ofElement(index, isOrdered: true)
        }
      }
    }
    return matches.map { elements[$0] }
  }
}

extension PredicateFrame {
  /// Calls a function with a frame for each object of an array of objects.
  fileprivate static func forEachObject(
    of array: some OrderedValue, _ body: (Int, PredicateFrame) throws(KVError) -> Void
  ) throws(KVError) {
    var index = 0
    var failure: KVError?
    _ = array.allObjects { object in
      do throws(KVError) { try body(index, PredicateFrame(borrowing: object, [:])) } catch {
        failure = error.ofElement(index, isOrdered: true)
        return false
      }
      index += 1
      return true
    }
    if let failure { throw failure }
  }
}
