import KVCore

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
    var failure: KVError?
    program.test(elements) { index, result in
      switch result {
      case .success(let passes): if passes { matches.append(index) }
      case .failure(let error): failure = error.ofElement(index, isOrdered: true)
      }
      return failure == nil
    }
    if let failure { throw failure }
    return elements[at: matches]
  }
}

extension KVPredicate {
  /// Calls a function with the index of each element, and whether it passes or how it fails, until it returns false.
  ///
  /// If the predicate itself cannot be evaluated, each element fails.
  package func test<Element>(_ elements: [Element], _ body: (Int, Result<Bool, KVError>) -> Bool) {
    do throws(KVError) { try program().test(elements, body) } catch {
      for index in elements.indices where !body(index, .failure(error)) { return }
    }
  }
}

extension KVPredicate {
  /// Returns whether an object passes, or how it fails.
  package func test(_ object: AnyObject) -> Result<Bool, KVError> {
    do throws(KVError) { return .success(try program().test(object: object)) } catch {
      return .failure(error)
    }
  }

  /// Returns whether a value of any type passes, or how it fails.
  package func test(value: Any?) -> Result<Bool, KVError> {
    do throws(KVError) { return .success(try program().test(PredicateFrame(value))) } catch {
      return .failure(error)
    }
  }
}

extension PredicateProgram {
  /// Calls a function with the index of each element, and whether it passes or how it fails, until it returns false.
  fileprivate func test<Element>(_ elements: [Element], _ body: (Int, Result<Bool, KVError>) -> Bool) {
    if Element.self is AnyClass { return testObjects(elements, body) }
    for (index, element) in elements.enumerated() {
      if !body(index, result { () throws(KVError) in try test(PredicateFrame(element)) }) { return }
    }
  }

  private func testObjects<Element>(_ objects: [Element], _ body: (Int, Result<Bool, KVError>) -> Bool) {
    var index = 0
    objects.allObjects { object in
      defer { index += 1 }
      return body(index, result { () throws(KVError) in try test(object: object) })
    }
  }

  @inline(__always)
  private func result(_ test: () throws(KVError) -> Bool) -> Result<Bool, KVError> {
    do throws(KVError) { return .success(try test()) } catch { return .failure(error) }
  }
}
