import KVBinding
import KVCore

/// The values of a key path of the elements of a controller's array, while a path such as `arrangedObjects.name` is
/// observed (CTR.12).
///
/// Each value is read once when its element is inserted and once per change of the element; old values come from these
/// reads.
final class MappedKey {
  /// A change of the key, and how the values follow it.
  typealias Edit = (change: KeyChange, apply: () -> Void)

  /// A mapped key, which exists as long as it is observed.
  struct Reference {
    weak var key: MappedKey?
  }

  /// The key that stands for the path, of which the controller notifies.
  let key: InternedKey
  /// The key of the array.
  let collection: InternedKey
  /// The path from an element.
  let path: KVKeyPath
  /// The version of the controller's state of which the values were read first.
  let firstVersion: Int
  /// The version of the controller's state since which the elements are observed in one way.
  var version: Int
  /// Whether the controller is notified of the path anyway, since the arrangement depends on it.
  ///
  /// ``observe(_:)`` or ``assign(_:)`` follows.
  var isShared = false
  /// Called with the error of the first element of each type whose value cannot be read, so that it is nil.
  var onFailure: (KVError) -> Void = { _ in }
  private var failedTypes: Set<ObjectIdentifier> = []
  private var values: [Any?] = []
  private let elementDidChange: (MappedKey, ObjectIdentifier) -> Void
  private lazy var observers = ElementObservers(Site(#fileID, #line)) { [weak self] id, _ in
    if let self { elementDidChange(self, id) }
  }

  init(
    _ key: InternedKey, of collection: InternedKey, _ path: KVKeyPath, version: Int,
    elementDidChange: @escaping (MappedKey, ObjectIdentifier) -> Void
  ) {
    (self.key, self.collection, self.path) = (key, collection, path)
    (self.version, firstVersion) = (version, version)
    self.elementDidChange = elementDidChange
  }

  private func value(of element: Any) -> Any? {
    do throws(KVError) { return try Reader(path).value(of: element) } catch {
      // An index out of range reads as nil (KVO.13).
      if error.code != .indexOutOfRange, failedTypes.insert(ObjectIdentifier(type(of: element))).inserted {
        onFailure(error)
      }
      return nil
    }
  }

  /// Returns the edit for a change of the array.
  ///
  /// - Parameters:
  ///   - change: The change of the array.
  ///   - isNew: Whether the values were first read after the state before the change.
  ///   - elements: Returns the elements of the array after the change.
  func edit(for change: KeyChange, isNew: Bool = false, _ elements: @escaping () -> [Any]) -> Edit {
    let (removed, inserted) = (DynamicCollection.list(change.old), DynamicCollection.list(change.new))
    // An element may have another value than before the update, so that a getter cannot tell the old one.
    let edit = change.indexes.map { indexes in
      IndexedEdit<Any?>(
        change.kind, at: indexes, removed: change.kind.removes ? values[at: indexes] : nil,
        added: change.kind.adds ? inserted.map { value(of: $0) } : nil)
    }
    return (
      edit.map(keyChange) ?? setting(isNew: isNew),
      { [self] in
        observers.add(inserted)
        observers.remove(removed)
        if let edit { edit.apply(to: &values) } else { assign(elements()) }
      }
    )
  }

  private func setting(isNew: Bool) -> KeyChange {
    var change = KeyChange(key, old: isNew ? nil : values)
    change.readNew = { [self] in values }
    return change
  }

  /// Returns the change of the key that an edit of its values is.
  private func keyChange(of edit: IndexedEdit<Any?>) -> KeyChange {
    KeyChange(key, edit.kind, at: edit.indexes, old: edit.removed, new: edit.added)
  }

  /// Reads the values of all elements, and observes them.
  func assign(_ elements: [Any]) {
    values = elements.map { value(of: $0) }
    observe(elements)
  }

  /// Observes the elements, and keeps the values, of which an update may need the old ones.
  func observe(_ elements: [Any]) { observers.observe(isShared ? [] : [path], of: elements) }

  /// Returns the edit for a change inside an element, which is at some indexes.
  func edit(of element: Any, at indexes: [Int]) -> Edit {
    let new = value(of: element)
    let edit = IndexedEdit(.replacement, at: indexes, removed: values[at: indexes], added: indexes.map { _ in new })
    return (keyChange(of: edit), { [self] in edit.apply(to: &values) })
  }
}
