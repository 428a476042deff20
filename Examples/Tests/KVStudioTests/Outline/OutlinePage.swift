import Foundation
import KVBinding
import KVDocuments

@testable import KVStudio

/// Two windows with an outline, without a server: each applies the events to what it has.
///
/// It shows that the events suffice. What the page itself does with them, the stories in a browser show.
@MainActor final class OutlinePage {
  /// A row as a page receives it.
  struct Row {
    var members: [String: Any] = [:]
    /// The rows below it; nil if it is not expanded.
    var children: [Row]?

    init(_ members: Any?) {
      self.members = members as? [String: Any] ?? [:]
      children = (self.members["children"] as? [Any])?.map(Row.init)
    }

    var id: Int { members["id"] as? Int ?? 0 }
    var name: String { members["name"] as? String ?? "" }
    var value: String { members["text"] as? String ?? "" }

    /// The row and those below it, as "name{member=value array[…]}"; a number is that of values which are not drawn.
    var text: String {
      let label = members["isMember"] as? Bool == true ? name : ""
      let signs = ["object": ("{", "}"), "array": ("[", "]")]
      guard let (open, close) = signs[members["kind"] as? String ?? ""] else {
        return label.isEmpty ? value : "\(label)=\(value)"
      }
      let inside = children?.map(\.text).joined(separator: " ") ?? "\(members["count"] as? Int ?? -1)"
      return label + open + inside + close
    }
  }

  let part: OutlinePart
  let hub = EventHub(events: 100_000, bytes: 1 << 30)
  private var position = 0
  private(set) var summary: [String: Any] = [:]
  /// The rows at the top of each window.
  private var roots: [String: [Row]] = [:]
  /// The number of the selected row of each window.
  private var selections: [String: Int] = [:]
  /// The kinds of the changes that window "b" has applied.
  var kinds: [String] = []

  init(_ json: String, isEditable: Bool = true) throws {
    let root = try KVDocument(data: Data(json.utf8)).root
    part = OutlinePart { try OutlineModel(root, named: "doc", isEditable: isEditable) }
    for window in ["a", "b"] { try show(window) }
  }

  /// Draws a window as one that has been opened.
  func show(_ window: String) throws {
    part.open(window)
    let state = try part.perform("show", [:], in: window)
    (summary, roots[window]) = (state, (state["rows"] as? [Any] ?? []).map(Row.init))
    publish()
  }

  func text(_ window: String = "a") -> String { roots[window]?.map(\.text).joined() ?? "" }

  func selected(_ window: String = "a") -> String {
    selections[window].flatMap { row($0, in: roots[window] ?? []) }?.name ?? "none"
  }

  /// Returns the row at an index path; an empty one if none is drawn there.
  func row(_ path: [Int], _ window: String = "a") -> Row {
    var (rows, row) = (roots[window], Row(nil))
    for index in path {
      row = rows.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? Row(nil)
      rows = row.children
    }
    return row
  }

  private func row(_ id: Int, in rows: [Row]) -> Row? {
    for row in rows {
      if row.id == id { return row }
      if let found = self.row(id, in: row.children ?? []) { return found }
    }
    return nil
  }

  // MARK: Asking

  /// Sends a request about the row at a path.
  func ask(_ action: String, _ path: [Int], _ body: [String: Any] = [:], in window: String = "a") throws {
    try send(action, body.merging(["id": row(path, window).id]) { $1 }, in: window)
  }

  func send(_ action: String, _ body: [String: Any] = [:], in window: String = "a") throws {
    defer { publish() }
    _ = try part.perform(action, body, in: window)
  }

  // MARK: Events

  func publish() {
    part.publishChanges(to: hub)
    let start = position
    position = hub.position
    for window in ["a", "b"] {
      guard case .events(let text, _) = hub.events(for: window, after: start) else { continue }
      for event in text.components(separatedBy: "\n\n") { receive(event.components(separatedBy: "\n"), in: window) }
    }
  }

  private func receive(_ lines: [String], in window: String) {
    func field(_ name: String) -> String? {
      lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }
    guard let root = try? field("data").map({ try KVDocument(data: Data($0.utf8)).root }) as? [String: Any] else {
      return
    }
    switch field("event") {
    case "outline.summary": summary = root
    case "outline.selection": selections[window] = root["id"] as? Int
    case "outline.changes":
      for change in root["changes"] as? [[String: Any]] ?? [] { apply(change, in: window) }
    default: break
    }
  }

  private func apply(_ change: [String: Any], in window: String) {
    if window == "b" { kinds.append(change["kind"] as? String ?? "") }
    let path = change["path"] as? [Int] ?? []
    switch change["kind"] as? String {
    case "removal":
      for path in (change["paths"] as? [[Int]] ?? []).reversed() {
        edit(path.dropLast(), in: window) { $0.children?.remove(at: path.last ?? 0) }
      }
    case "insertion":
      for row in change["rows"] as? [[String: Any]] ?? [] {
        let path = row["path"] as? [Int] ?? []
        edit(path.dropLast(), in: window) { $0.children?.insert(Row(row), at: path.last ?? 0) }
      }
    case "children": edit(path[...], in: window) { $0.children = (change["rows"] as? [Any] ?? []).map(Row.init) }
    case "collapse": edit(path[...], in: window) { $0.children = nil }
    case "row": edit(path[...], in: window) { $0.members = change["row"] as? [String: Any] ?? [:] }
    default: break
    }
  }

  private func edit(_ path: ArraySlice<Int>, in window: String, _ body: (inout Row) -> Void) {
    func edit(_ rows: inout [Row], _ path: ArraySlice<Int>) {
      guard let index = path.first, rows.indices.contains(index) else { return }
      if path.count == 1 { return body(&rows[index]) }
      var children = rows[index].children ?? []
      edit(&children, path.dropFirst())
      rows[index].children = children
    }
    edit(&roots[window, default: []], path)
  }
}
