import Foundation
import KVBinding
import KVDocuments

@testable import KVStudio

/// Two windows with a table, without a server: the second one applies the events to what it has.
///
/// It shows that the events suffice. What the page itself does with them, the stories in a browser show.
@MainActor final class TablePage {
  /// A row as a page receives it.
  struct Row {
    var id = 0
    var cells: [String] = []
    var group: String?
    var count = 0

    init(_ members: Any?) {
      let members = members as? [String: Any] ?? [:]
      id = members["id"] as? Int ?? 0
      cells = members["cells"] as? [String] ?? []
      group = members["group"] as? String
      count = members["count"] as? Int ?? 0
    }

    var text: String { "\(id) \(group ?? cells.joined(separator: "|")) \(count)" }
  }

  struct Field {
    var text = ""
    var marker: String?
    var isEditable = false
  }

  let part: TablePart
  let hub = EventHub(events: 100_000, bytes: 1 << 30)
  private var position = 0
  private(set) var summary: [String: Any] = [:]
  private(set) var version = 0
  private var selections: [String: [String: Any]] = [:]
  /// The rows as the window "b" has them.
  private(set) var mirror: [Row] = []
  /// How often all rows were set.
  var resets = 0

  init(
    _ model: TableModel, filterTime: Duration = .seconds(60),
    processorTime: @escaping () -> Duration = TablePart.processorTimeOfThread
  ) {
    part = TablePart(model, filterTime: filterTime, processorTime: processorTime)
    for window in ["a", "b"] {
      part.open(window)
      let state = try? part.perform("show", [:], in: window)
      summary = state ?? [:]
      selections[window] = state?["selection"] as? [String: Any]
      version = state?["version"] as? Int ?? 0
    }
    mirror = (try? rows(in: "b")) ?? []
    publish()
  }

  @discardableResult
  func ask(_ action: String, _ body: [String: Any] = [:], in window: String = "a") throws -> [String: Any] {
    defer { publish() }
    return try part.perform(action, body, in: window)
  }

  func rows(in window: String = "a") throws -> [Row] {
    let answer = try part.perform("rows", ["first": 0, "count": 200], in: window)
    return (answer["rows"] as? [Any] ?? []).map(Row.init)
  }

  func select(_ index: Int, _ mode: String = "only") throws {
    let row = part.table?.rows.row(at: index)
    try ask("select", ["id": row.map(part.id(of:)) ?? 0, "index": index, "mode": mode])
  }

  var selected: [Int] { selected(in: "a") }
  var lead: Int? { selections["a"]?["lead"] as? Int }

  func selected(in window: String) -> [Int] { selections[window]?["ids"] as? [Int] ?? [] }

  func field(_ key: String, in window: String = "a") -> Field {
    let fields = (selections[window]?["fields"] as? [Any] ?? []).compactMap { $0 as? [String: Any] }
    let members = fields.first { $0["key"] as? String == key } ?? [:]
    return Field(
      text: members["text"] as? String ?? "", marker: members["marker"] as? String,
      isEditable: members["isEditable"] as? Bool ?? false)
  }

  func tick() {
    part.tick()
    publish()
  }

  static func json(_ value: Any?) -> String {
    (try? KVDocument(["value": value as Any]).data()).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  // MARK: Events

  private func publish() {
    part.publishChanges(to: hub)
    while case .events(let text, let end) = hub.events(for: "b", after: position), end > position {
      for event in text.components(separatedBy: "\n\n") { receive(event, in: "b") }
      if case .events(let text, _) = hub.events(for: "a", after: position) {
        for event in text.components(separatedBy: "\n\n") where event.contains("event: table.selection") {
          receive(event, in: "a")
        }
      }
      position = end
    }
  }

  private func receive(_ event: String, in window: String) {
    let lines = event.components(separatedBy: "\n")
    guard let name = lines.first(where: { $0.hasPrefix("event: ") })?.dropFirst(7),
      let data = lines.first(where: { $0.hasPrefix("data: ") })?.dropFirst(6),
      let members = try? KVDocument(data: Data(data.utf8)).root as? [String: Any]
    else { return }
    switch name {
    case "table.summary": summary = members
    case "table.selection": selections[window] = members
    case "table.cells":
      for row in (members["rows"] as? [Any] ?? []).map(Row.init) {
        for index in mirror.indices where mirror[index].id == row.id { mirror[index] = row }
      }
    case "table.rows": apply(members)
    default: break
    }
  }

  private func apply(_ members: [String: Any]) {
    version = members["version"] as? Int ?? 0
    for change in members["changes"] as? [[String: Any]] ?? [] {
      let indexes = change["indexes"] as? [Int] ?? []
      let rows = (change["rows"] as? [Any] ?? []).map(Row.init)
      switch change["kind"] as? String {
      case "removal": for index in indexes.reversed() { mirror.remove(at: index) }
      case "insertion":
        for (number, index) in indexes.enumerated() {
          mirror.insert(number < rows.count ? rows[number] : Row(nil), at: index)
        }
      case "replacement": for index in indexes { mirror[index] = Row(nil) }
      default:
        resets += 1
        mirror = (try? self.rows(in: "b")) ?? []
      }
    }
    // What the event does not contain is asked for, as a page does for the rows on its screen.
    for index in mirror.indices where mirror[index].id == 0 {
      mirror[index] = Row(part.table?.rows.row(at: index).map(part.members))
    }
    // The program observes the rows that were asked for.
    _ = try? rows(in: "b")
  }
}
