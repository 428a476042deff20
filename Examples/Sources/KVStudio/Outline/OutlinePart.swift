import Foundation
import KVControllers
import KVDocuments

/// The outline: one document with one undo, and a tree controller for each window.
///
/// It is made when a window shows it first.
@MainActor final class OutlinePart: StudioPart {
  let name = "outline"
  private let make: @MainActor () throws -> OutlineModel
  private(set) var model: OutlineModel?
  let undo = OutlineUndo()
  private let numbers = ObjectNumbers()
  private var names: Set<String> = []
  private(set) var windows: [String: OutlineWindow] = [:]
  private var shownSummary: Data?

  /// Creates the part.
  ///
  /// - Parameter make: Makes the model.
  init(_ make: @escaping @MainActor () throws -> OutlineModel = { try .sample() }) { self.make = make }

  func open(_ window: String) { names.insert(window) }

  func close(_ window: String) {
    names.remove(window)
    windows[window] = nil
  }

  func state(of window: String) -> [String: Any] { [:] }

  func perform(_ action: String, _ body: [String: Any], in window: String) throws -> [String: Any] {
    guard names.contains(window) else { throw Refusal.closedWindow(window) }
    if action == "show" { return try show(in: window) }
    guard let model, let objects = windows[window] else {
      throw Refusal(409, "The outline is not shown in this window.")
    }
    guard try carryOut(action, model, objects, PartRequest(body)) else {
      throw Refusal(404, "The outline has no action \"\(action.prefix(100))\".")
    }
    return [:]
  }

  private func show(in window: String) throws -> [String: Any] {
    let model = try model ?? make()
    self.model = model
    let objects = try windows[window] ?? OutlineWindow(model, numbers)
    windows[window] = objects
    undo.manager.restoresSelection(of: objects.controller)
    return summary.merging(["isEditable": model.isEditable, "rows": objects.draw()]) { $1 }
  }

  private var summary: [String: Any] {
    let (manager, null) = (undo.manager, KVDocument.Null())
    return [
      "undo": manager.canUndo ? manager.undoMenuTitle : null, "redo": manager.canRedo ? manager.redoMenuTitle : null,
      "revision": undo.revision,
    ]
  }

  func publishChanges(to hub: EventHub) {
    guard !windows.isEmpty else { return }
    for (name, window) in windows {
      let selection = window.takeSelection()
      let changes = window.takeChanges()
      if !changes.isEmpty { hub.publish("outline.changes", for: name, ["changes": changes]) }
      if let selection { hub.publish("outline.selection", for: name, selection) }
    }
    let data = try? KVDocument(summary).data()
    if data != shownSummary { hub.publish("outline.summary", for: nil, summary) }
    shownSummary = data
  }
}
