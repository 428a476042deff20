import KVCore

/// The selection of a controller, which a manager saves with each step and restores (UND.13).
final class UndoSelection {
  /// What was selected before and after a step.
  struct Change {
    let selection: UndoSelection
    let before: Saved
    var after: Saved
  }

  /// Selected objects, which are not retained, and selected values.
  struct Saved {
    private enum Item {
      case object(WeakReference<AnyObject>)
      case value(Any)
    }
    private let saved: [Item]
    var isEmpty: Bool { saved.isEmpty }

    init(_ items: [Any]) {
      saved = items.map { type(of: $0) is AnyClass ? .object(WeakReference($0 as AnyObject)) : .value($0) }
    }

    /// The values and those objects that exist.
    var items: [Any] {
      saved.compactMap { item in
        switch item {
        case .object(let reference): reference.object
        case .value(let value): value
        }
      }
    }
  }

  private let reference: WeakReference<AnyObject>
  private let read: (AnyObject) -> [Any]
  private let select: (AnyObject, [Any]) -> Void
  /// The observation of the selected objects.
  var observation: KVObservation?

  /// - Parameters:
  ///   - controller: The controller, which is not retained.
  ///   - read: Returns what is selected in it.
  ///   - select: Selects items in it.
  init(of controller: AnyObject, read: @escaping (AnyObject) -> [Any], select: @escaping (AnyObject, [Any]) -> Void) {
    reference = WeakReference(controller)
    self.read = read
    self.select = select
  }

  deinit { observation?.cancel() }

  var id: ObjectIdentifier { reference.id }
  var isDead: Bool { reference.object == nil }

  /// Returns what is selected now.
  func saved() -> Saved { Saved(reference.object.map(read) ?? []) }

  /// Selects what was selected, as far as it exists; if nothing of it does, the selection stays.
  func restore(_ saved: Saved) {
    let items = saved.items
    guard let controller = reference.object, !items.isEmpty || saved.isEmpty else { return }
    select(controller, items)
  }
}
