import Synchronization

extension Accessor {
  /// How values of a property may be edited in their place.
  enum Editing: UInt8, AtomicRepresentable {
    /// Not, or nobody knows yet.
    case unknown
    /// Through the key path of the table's line, which leads to a stored property.
    case keyPath
    /// By the setter, which is known to be that of an observable property.
    case setter
  }

  /// How a line of a table lets its values be edited, as far as the line tells.
  static func editing(by declaration: KeyDeclaration) -> Editing {
    guard declaration.isWritable, declaration.modify != nil, let keyPath = declaration.keyPath else { return .unknown }
    // What is stored has its name there, or its offset (SE-0369).
    return keyPath.debugDescription.contains("<computed") ? .unknown : .keyPath
  }

  /// Notes that a write of the accessor has reached the setter of an observable property.
  ///
  /// That setter can edit what it stores, if nothing stands between: the line of the table is the property itself, and
  /// the object is of the very class that declares it, so that no subclass overrides it.
  func learn(setterOf property: AnyKeyPath, storedAt storage: AnyKeyPath, in object: AnyObject) {
    guard declaration.keyPath == property, Swift.type(of: storage).rootType == Swift.type(of: object) else { return }
    editing.store(.setter, ordering: .releasing)
  }

  /// Edits the value of an object where it is stored.
  ///
  /// - Parameters:
  ///   - object: The object, whose registrar holds the edit if it is made by the setter.
  ///   - edit: The edit.
  func edit(_ object: AnyObject, by edit: @escaping InPlaceEdit) {
    if let modify = declaration.modify, editingWay == .keyPath { return modify(object, edit) }
    // The setter is called, so that observers of the property in its class hear of it; it does not store the value.
    func open<T: OrderedValue>(_ type: T.Type) { writeTyped(T(), to: object) }
    if let type = value.ordered { open(type) }
  }
}
