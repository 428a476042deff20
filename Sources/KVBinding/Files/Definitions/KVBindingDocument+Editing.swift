import KVCore

// The commands of an editor. Edits of the list by other means can be undone, too.
extension KVBindingDocument {
  /// Adds a definition at the end.
  ///
  /// - Parameter definition: The definition; a blank one by default.
  /// - Returns: The same definition.
  /// - Throws: Nothing at present.
  /// - Complexity: O(*n*) in the definitions.
  @discardableResult
  public func add(
    _ definition: KVEditableBindingDefinition = KVEditableBindingDefinition()
  ) throws(KVError) -> KVEditableBindingDefinition {
    try mutableArray(forKey: "definitions").append(definition)
    return definition
  }

  /// Removes a definition.
  ///
  /// - Parameter index: The index of the definition.
  /// - Throws: ``KVError`` with the code `indexOutOfRange`.
  /// - Complexity: O(*n*) in the definitions.
  public func remove(at index: Int) throws(KVError) { try mutableArray(forKey: "definitions").remove(at: index) }

  /// Moves a definition, in one step.
  ///
  /// - Parameters:
  ///   - index: The index of the definition.
  ///   - destination: The new index of the definition.
  /// - Throws: ``KVError`` with the code `indexOutOfRange`; nothing has changed then.
  /// - Complexity: O(*n*) in the definitions.
  public func move(from index: Int, to destination: Int) throws(KVError) {
    // The view checks the indexes.
    let array = mutableArray(forKey: "definitions")
    _ = try array.element(at: index)
    _ = try array.element(at: destination)
    if index == destination { return }
    var definitions = definitions
    definitions.insert(definitions.remove(at: index), at: destination)
    self.definitions = definitions
  }
}
