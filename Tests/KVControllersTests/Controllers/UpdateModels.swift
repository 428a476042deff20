import KVCore

@testable import KVControllers

/// A controller with three numbers, their sum, and an array that changes by index.
final class NumberController: KVController {
  struct State: Equatable {
    var numbers = [0, 0, 0]
    var items: [Int] = []
  }

  static let keys = ["a", "b", "c"]
  var state = State()
  var a: Int { state.numbers[0] }
  var b: Int { state.numbers[1] }
  var c: Int { state.numbers[2] }
  var items: [Int] { state.items }
  /// Depends on `a` and `b`.
  var sum: Int { a + b }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: NumberController.self) { key in
      key("a", \.a).notifiesItself()
      key("b", \.b).notifiesItself()
      key("c", \.c).notifiesItself()
      key("items", \.items).notifiesItself()
      key("sum", \.sum).affected(by: "a", "b")
    }
  }

  /// Sets several numbers, and removes and inserts elements of the array, in one update.
  func change(_ makeEdit: (State) -> NumberEdit) {
    perform {
      let edit = makeEdit(state)
      let (between, after) = (edit.applied(to: state, finally: false), edit.applied(to: state, finally: true))
      var changes = edit.numbers.sorted { $0.key < $1.key }.map { KeyChange(InternedKey(Self.keys[$0.key])) }
      var update = KeyUpdate { self.state = after }
      let removal = KeyChange(InternedKey("items"), .removal, at: edit.removed, old: state.items(at: edit.removed))
      let insertion = KeyChange(
        InternedKey("items"), .insertion, at: edit.inserted, new: after.items(at: edit.inserted))
      switch (edit.removed.isEmpty, edit.inserted.isEmpty) {
      case (true, true): break
      case (false, true): changes.append(removal)
      case (true, false): changes.append(insertion)
      case (false, false):
        changes.append(insertion)
        update.first = [removal]
        update.applyFirst = { self.state.items = between.items }
      }
      update.changes = changes
      return update
    }
  }

  override func snapshot() -> Any { state }
  override func restore(_ snapshot: Any) { if let snapshot = snapshot as? State { state = snapshot } }
}

extension NumberController.State {
  func items(at indexes: [Int]) -> [Int] { indexes.map { items[$0] } }
}

/// What one update changes: numbers by their position, and elements of the array by index.
struct NumberEdit {
  var numbers: [Int: Int] = [:]
  var removed: [Int] = []
  var inserted: [Int] = []

  /// Returns the state after the edit, or after the removal only.
  func applied(to state: NumberController.State, finally: Bool) -> NumberController.State {
    var result = state
    for index in removed.reversed() { result.items.remove(at: index) }
    guard finally else { return result }
    for index in inserted { result.items.insert(1000 + index + state.items.count, at: index) }
    for (index, number) in numbers { result.numbers[index] = number }
    return result
  }
}

/// An object through which a path leads to a controller.
final class ControllerHolder: KVObject {
  @KVProperty var controller: NumberController?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ControllerHolder.self) { key in key("controller", \.controller) }
  }
}
