extension KVKeyHandle where Value: RandomAccessCollection {
  /// Declares functions that count the elements of a computed to-many key and return one of them (TAB.10).
  ///
  /// ```swift
  /// key("rows") { $0.makeRows() }.counted(by: { $0.rowCount }, element: { $0.makeRow($1) })
  /// ```
  ///
  /// Views (`view.count`, `view[0]`) and paths (`rows[0].title`, `rows.@count`, `rows.@lastObject`) call them instead of
  /// reading the whole collection.
  ///
  /// - Parameters:
  ///   - count: Returns the number of elements.
  ///   - element: Returns the element at an index, which is valid.
  /// - Returns: The handle, for further calls.
  @discardableResult
  public func counted(
    by count: @escaping (Root) -> Int, element: @escaping (Root, Int) -> Value.Element
  ) -> Self {
    let (check, key) = (self.check, declaration.name)
    func checked(_ owner: Any) -> Root? {
      check?.preconditionIsolated(key)
      return owner as? Root
    }
    declaration.counted = CountedCollection.Functions(
      count: { owner in checked(owner).map(count) ?? 0 },
      element: { owner, index in checked(owner).map { element($0, index) } })
    return self
  }
}
