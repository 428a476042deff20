import KVBinding
import KVCore

/// The selection of a controller, which a manager saves with each step and restores (UND.13).
final class UndoSelection {
  /// The selection before and after a step.
  struct Change {
    let selection: UndoSelection
    let before: Saved
    var after: Saved
  }

  /// Selected objects, which are not retained, and selected values.
  ///
  /// All steps share it between which the selection has not changed.
  final class Saved {
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

    /// Whether it stands for items: those that exist are the same.
    func stands(for others: [Any]) -> Bool {
      isEmpty == others.isEmpty && Equality.areIdentical(items, others)
    }
  }

  private let reference: WeakReference<AnyObject>
  private let version: (AnyObject) -> Int?
  private let read: (AnyObject) -> [Any]
  private let select: (AnyObject, [Any]) -> Void
  /// The selection when it was read last, and its version.
  private var latest: (saved: Saved, version: Int?)?
  /// The observation of the selected objects.
  var observation: KVObservation?

  /// - Parameters:
  ///   - controller: The controller, which is not retained.
  ///   - version: Returns a number that changes with what is selected in it; nil if it must be read.
  ///   - read: Returns what is selected in it.
  ///   - select: Selects items in it.
  init(
    of controller: AnyObject, version: @escaping (AnyObject) -> Int?, read: @escaping (AnyObject) -> [Any],
    select: @escaping (AnyObject, [Any]) -> Void
  ) {
    reference = WeakReference(controller)
    self.version = version
    self.read = read
    self.select = select
  }

  deinit { observation?.cancel() }

  var id: ObjectIdentifier { reference.id }
  var isDead: Bool { reference.object == nil }

  /// The selection of the controller: that before a change, while observers are notified with `prior`.
  var present: [Any] { reference.object.map(read) ?? [] }

  /// Returns what is selected now.
  func saved() -> Saved {
    guard let controller = reference.object else { return Saved([]) }
    let version = version(controller)
    if let version, let latest, latest.version == version { return latest.saved }
    let saved = saved(read(controller))
    latest = (saved, version)
    return saved
  }

  /// Returns what was saved last if it stands for items, or else saves them.
  func saved(_ items: [Any]) -> Saved {
    if let latest, latest.saved.stands(for: items) { return latest.saved }
    return Saved(items)
  }

  /// Selects what was selected, as far as it exists; if nothing of it does, the selection stays.
  func restore(_ saved: Saved) {
    guard let controller = reference.object, self.saved() !== saved else { return }
    let items = saved.items
    guard !items.isEmpty || saved.isEmpty else { return }
    if !saved.stands(for: read(controller)) { select(controller, items) }
    // The next step that is undone may have the same one.
    if saved.stands(for: read(controller)) { latest = (saved, version(controller)) }
  }
}
