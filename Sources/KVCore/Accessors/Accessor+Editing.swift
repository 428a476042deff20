extension Accessor {
  /// Returns the function that edits values of a declaration in place, if there is a sound one.
  ///
  /// A line of a table has one by ``KVKeyHandle/inPlace(_:)``, or by a key path to a stored property. A key path to a
  /// computed property gets and sets a copy, so that editing through it would save nothing.
  static func modify(by declaration: KeyDeclaration) -> ModifyFunction? {
    guard declaration.isWritable, let modify = declaration.modify else { return nil }
    // The description of a key path has the name or the offset of what is stored (SE-0369).
    let isStored = declaration.keyPath.map { !$0.debugDescription.contains("<computed") } ?? false
    return declaration.isModifiedInPlace || isStored ? modify : nil
  }
}
