extension KVKeyHandle {
  /// Gives the functions that edit an array one element at a time (COL.2, after Apple's indexed accessors).
  ///
  /// Collection proxies call them instead of setting a changed array.
  ///
  /// - Parameters:
  ///   - insert: Inserts an element at an index.
  ///   - remove: Removes the element at an index.
  ///   - replace: Replaces the element at an index; without it an element is removed and another one inserted.
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func indexed<Element>(
    insert: @escaping (inout Root, Element, Int) -> Void, remove: @escaping (inout Root, Int) -> Void,
    replace: ((inout Root, Int, Element) -> Void)? = nil
  ) -> Self where Value == [Element] {
    let (check, key) = (self.check, declaration.name)
    declaration.indexed = IndexedAccessors(
      insert: { owner, elements, indexes throws(KVError) in
        check?.insist(key)
        let elements = try typed(elements, Element.self)
        owner.edit(Root.self) { root in
          for (element, index) in zip(elements, indexes) { insert(&root, element, index) }
        }
      },
      remove: { owner, indexes in
        check?.insist(key)
        owner.edit(Root.self) { root in
          for index in indexes.reversed() { remove(&root, index) }
        }
      },
      replace: nil)
    if let replace {
      declaration.indexed?.replace = { owner, indexes, elements throws(KVError) in
        check?.insist(key)
        let elements = try typed(elements, Element.self)
        owner.edit(Root.self) { root in
          for (element, index) in zip(elements, indexes) { replace(&root, index, element) }
        }
      }
    }
    return self
  }

  /// Gives the functions that edit an array in bulk: one call an operation, however many elements (COL.2).
  ///
  /// - Parameters:
  ///   - insert: Inserts elements so that they have the given indexes afterwards; the indexes ascend.
  ///   - remove: Removes the elements at indexes, which ascend.
  ///   - replace: Replaces the elements at indexes, which ascend; without it they are removed and others inserted.
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func indexedInBulk<Element>(
    insert: @escaping (inout Root, [Element], [Int]) -> Void, remove: @escaping (inout Root, [Int]) -> Void,
    replace: ((inout Root, [Int], [Element]) -> Void)? = nil
  ) -> Self where Value == [Element] {
    let (check, key) = (self.check, declaration.name)
    declaration.indexed = IndexedAccessors(
      insert: { owner, elements, indexes throws(KVError) in
        check?.insist(key)
        let elements = try typed(elements, Element.self)
        owner.edit(Root.self) { root in insert(&root, elements, indexes) }
      },
      remove: { owner, indexes in
        check?.insist(key)
        owner.edit(Root.self) { root in remove(&root, indexes) }
      },
      replace: nil)
    if let replace {
      declaration.indexed?.replace = { owner, indexes, elements throws(KVError) in
        check?.insist(key)
        let elements = try typed(elements, Element.self)
        owner.edit(Root.self) { root in replace(&root, indexes, elements) }
      }
    }
    return self
  }

  /// Gives the functions that edit a set (COL.2, after Apple's unordered accessors).
  ///
  /// - Parameters:
  ///   - add: Adds elements; none of them is in the set.
  ///   - remove: Removes elements; all of them are in the set.
  /// - Returns: The handle, for more calls.
  @discardableResult
  public func unordered<Element>(
    add: @escaping (inout Root, Set<Element>) -> Void, remove: @escaping (inout Root, Set<Element>) -> Void
  ) -> Self where Value == Set<Element> {
    let (check, key) = (self.check, declaration.name)
    declaration.unordered = UnorderedAccessors(
      add: { owner, elements throws(KVError) in
        check?.insist(key)
        let elements = try typed(elements, Element.self)
        owner.edit(Root.self) { root in add(&root, Set(elements)) }
      },
      remove: { owner, elements throws(KVError) in
        check?.insist(key)
        let elements = try typed(elements, Element.self)
        owner.edit(Root.self) { root in remove(&root, Set(elements)) }
      })
    return self
  }
}

/// Returns elements as the type that the table declares.
private func typed<Element>(_ elements: [Any], _ type: Element.Type) throws(KVError) -> [Element] {
  var result: [Element] = []
  for element in elements {
    do throws(CoercionFailure) {
      result.append(try Coercion().convert(element, to: type))
    } catch {
      throw KVError(error.code, "an element does not fit: \(error.reason).")
    }
  }
  return result
}
