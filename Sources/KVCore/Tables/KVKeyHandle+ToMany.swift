extension KVKeyHandle {
  /// Declares the functions that edit an array one element at a time (COL.2, after Apple's indexed accessors).
  ///
  /// Collection views call these functions instead of setting a changed array.
  ///
  /// - Parameters:
  ///   - insert: Inserts an element at an index.
  ///   - remove: Removes the element at an index.
  ///   - replace: Replaces the element at an index. Without this function a replacement removes one element and inserts
  ///     another one.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func indexed(
    insert: @escaping (inout Root, Value.Element, Int) -> Void, remove: @escaping (inout Root, Int) -> Void,
    replace: ((inout Root, Int, Value.Element) -> Void)? = nil
  ) -> Self where Value: RangeReplaceableCollection {
    indexed(elements: insert, remove, replace)
  }

  /// Declares the functions that edit an optional array one element at a time (COL.2).
  ///
  /// - Parameters:
  ///   - insert: Inserts an element at an index; at zero if the property is nil.
  ///   - remove: Removes the element at an index.
  ///   - replace: Replaces the element at an index. Without this function a replacement removes one element and inserts
  ///     another one.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func indexed<Wrapped: RangeReplaceableCollection>(
    insert: @escaping (inout Root, Wrapped.Element, Int) -> Void, remove: @escaping (inout Root, Int) -> Void,
    replace: ((inout Root, Int, Wrapped.Element) -> Void)? = nil
  ) -> Self where Value == Wrapped? {
    indexed(elements: insert, remove, replace)
  }

  private func indexed<Element>(
    elements insert: @escaping (inout Root, Element, Int) -> Void, _ remove: @escaping (inout Root, Int) -> Void,
    _ replace: ((inout Root, Int, Element) -> Void)?
  ) -> Self {
    indexed(
      inBulk: { (root, elements: [Element], indexes) in
        for (element, index) in zip(elements, indexes) { insert(&root, element, index) }
      },
      { root, indexes in
        for index in indexes.reversed() { remove(&root, index) }
      },
      replace.map { replace in
        { root, indexes, elements in
          for (element, index) in zip(elements, indexes) { replace(&root, index, element) }
        }
      })
  }

  /// Declares the functions that edit an array in bulk: one call per operation, however many elements (COL.2).
  ///
  /// - Parameters:
  ///   - insert: Inserts elements so that they have the given indexes afterwards. The indexes ascend.
  ///   - remove: Removes the elements at the given indexes, which ascend.
  ///   - replace: Replaces the elements at the given indexes, which ascend. Without this function a replacement removes
  ///     elements and inserts others.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func indexedInBulk(
    insert: @escaping (inout Root, [Value.Element], [Int]) -> Void, remove: @escaping (inout Root, [Int]) -> Void,
    replace: ((inout Root, [Int], [Value.Element]) -> Void)? = nil
  ) -> Self where Value: RangeReplaceableCollection {
    indexed(inBulk: insert, remove, replace)
  }

  /// Declares the functions that edit an optional array in bulk (COL.2).
  ///
  /// - Parameters:
  ///   - insert: Inserts elements so that they have the given indexes afterwards. The indexes ascend.
  ///   - remove: Removes the elements at the given indexes, which ascend.
  ///   - replace: Replaces the elements at the given indexes, which ascend. Without this function a replacement removes
  ///     elements and inserts others.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func indexedInBulk<Wrapped: RangeReplaceableCollection>(
    insert: @escaping (inout Root, [Wrapped.Element], [Int]) -> Void, remove: @escaping (inout Root, [Int]) -> Void,
    replace: ((inout Root, [Int], [Wrapped.Element]) -> Void)? = nil
  ) -> Self where Value == Wrapped? {
    indexed(inBulk: insert, remove, replace)
  }

  private func indexed<Element>(
    inBulk insert: @escaping (inout Root, [Element], [Int]) -> Void, _ remove: @escaping (inout Root, [Int]) -> Void,
    _ replace: ((inout Root, [Int], [Element]) -> Void)?
  ) -> Self {
    declaration.indexed = ToManyAccessors(
      insert: edit(insert), remove: edit { (root, _: [Element], indexes) in remove(&root, indexes) },
      replace: replace.map { replace in edit { root, elements, indexes in replace(&root, indexes, elements) } })
    return self
  }

  /// Declares a method that edits an array, notifies of its edits, and may refuse them.
  ///
  /// - Parameter method: Inserts, removes or replaces elements; the indexes ascend.
  /// - Returns: The handle, for further calls.
  @discardableResult
  package func editedByMethod(
    _ method: @escaping (Root, IndexedEdit<Value.Element>) throws(KVError) -> Void
  ) -> Self where Value: RangeReplaceableCollection, Root: AnyObject {
    func editing(_ kind: KVChangeKind) -> ToManyAccessors.Edit {
      edit { (root, elements: [Value.Element], indexes) throws(KVError) in
        try method(root, IndexedEdit(kind, at: indexes, added: elements))
      }
    }
    declaration.editsNotify = true
    declaration.indexed = ToManyAccessors(
      insert: editing(.insertion), remove: editing(.removal), replace: editing(.replacement))
    return self
  }

  /// Declares the functions that edit a set (COL.2, after Apple's unordered accessors).
  ///
  /// - Parameters:
  ///   - add: Adds elements, none of which is in the set.
  ///   - remove: Removes elements, all of which are in the set.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func unordered<Element>(
    add: @escaping (inout Root, Set<Element>) -> Void, remove: @escaping (inout Root, Set<Element>) -> Void
  ) -> Self where Value == Set<Element> {
    unordered(add, remove)
  }

  /// Declares the functions that edit an optional set (COL.2).
  ///
  /// - Parameters:
  ///   - add: Adds elements, none of which is in the set; the property may be nil.
  ///   - remove: Removes elements, all of which are in the set.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func unordered<Element>(
    add: @escaping (inout Root, Set<Element>) -> Void, remove: @escaping (inout Root, Set<Element>) -> Void
  ) -> Self where Value == Set<Element>? {
    unordered(add, remove)
  }

  private func unordered<Element>(
    _ add: @escaping (inout Root, Set<Element>) -> Void, _ remove: @escaping (inout Root, Set<Element>) -> Void
  ) -> Self {
    declaration.unordered = ToManyAccessors(
      insert: edit { root, elements, _ in add(&root, Set(elements)) },
      remove: edit { root, elements, _ in remove(&root, Set(elements)) })
    return self
  }

  /// Returns a function that edits the collection of an erased owner, with elements of any type.
  private func edit<Element>(
    _ edit: @escaping (inout Root, [Element], [Int]) throws(KVError) -> Void
  ) -> ToManyAccessors.Edit {
    let (check, key) = (self.check, declaration.name)
    return { owner, elements, indexes throws(KVError) in
      check?.preconditionIsolated(key)
      let typed: [Element]
      do throws(CoercionFailure) {
        typed = exactCast(try [Element].converting(elements, with: Coercion()), [Element].self) ?? []
      } catch {
        throw KVError(error.code, "an element does not fit: \(error.reason).")
      }
      try owner.edit(Root.self) { (root: inout Root) throws(KVError) in try edit(&root, typed, indexes) }
    }
  }
}

extension KVKeyHandle where Root: AnyObject {
  /// Lets views edit the array where it is stored (COL.6).
  ///
  /// ```swift
  /// key("items", \.items).inPlace { order, edit in edit(&order.items) }
  /// ```
  ///
  /// Without it a view reads the array, changes the copy and sets it, in O(*n*), unless the key path of the line leads
  /// to a plain stored property. With it the view passes its edit to the property itself, which Swift changes in place
  /// if it can: a `@KVProperty` without `willSet` and `didSet`, a stored property, a computed one with `_modify`.
  ///
  /// - Parameter modify: Calls its second argument with the property, once.
  /// - Returns: The handle, for more calls.
  /// - Complexity: An edit costs what it costs on the array itself.
  @discardableResult
  public func inPlace<Element>(_ modify: @escaping (Root, (inout [Element]) -> Void) -> Void) -> Self
  where Value == [Element] {
    declaration.modifiesStorage = true
    declaration.modify = check.guarding(Self.modifyingMemory(modify), declaration.name)
    return self
  }

  /// Returns a function that lends the memory of what another one lends.
  ///
  /// It is generic in the whole value, so that its type is kept; that of an array is looked up from its element's.
  private static func modifyingMemory<Owner: AnyObject, Projected>(
    _ modify: @escaping (Owner, (inout Projected) -> Void) -> Void
  ) -> (AnyObject, (Address) -> Void) -> Void {
    { object, edit in modify(asObject(object, Owner.self)) { value in withAddress(of: &value) { edit(Address($0)) } } }
  }
}
