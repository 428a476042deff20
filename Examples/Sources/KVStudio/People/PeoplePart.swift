import KVBinding

/// The list of people: one model, and a few cells in each window, which are used again as it scrolls.
@MainActor final class PeoplePart: StudioPart {
  /// The cells of a window.
  private struct List {
    var cells: [PersonCell] = []
    /// The cells whose rows left the screen.
    var free: [Int] = []
  }

  /// How many cells a window may have: those of the highest screen.
  static let cellLimit = 60

  let name = "people"
  let model: People
  private var lists: [String: List] = [:]
  private var isWorking = false
  private var isWorkingChanged = false
  private var shownMean = -1
  private var tickCount = 0

  init(count: Int = 1000) { model = People(count: count) }

  func open(_ window: String) { lists[window] = List() }

  func close(_ window: String) {
    lists[window] = nil
    if lists.isEmpty { isWorking = false }
  }

  func state(of window: String) -> [String: Any] { summary.merging(["count": model.people.count]) { $1 } }

  private var summary: [String: Any] { ["isWorking": isWorking, "mean": model.meanProgress] }

  func perform(_ action: String, _ body: [String: Any], in window: String) throws -> [String: Any] {
    switch action {
    case "scroll":
      guard let first = body["first"] as? Int, let count = body["count"] as? Int, first >= 0,
        (0...Self.cellLimit).contains(count)
      else { throw Refusal(422, "A list scrolls to a first row, and shows up to \(Self.cellLimit) rows.") }
      let end = min(model.people.count, first.addingReportingOverflow(count).partialValue)
      return ["cells": try show(min(first, end)..<end, in: window)]
    case "work":
      guard let isOn = body["isOn"] as? Bool else { throw Refusal(422, "They work, or they do not.") }
      (isWorking, isWorkingChanged) = (isOn, true)
      return summary
    case "edit": return try edit(body)
    default: throw Refusal(404, "The list has no action \"\(action.prefix(100))\".")
    }
  }

  private func edit(_ body: [String: Any]) throws -> [String: Any] {
    guard let row = body["row"] as? Int, model.people.indices.contains(row) else {
      throw Refusal(422, "There is no such row: rows are 0 to \(model.people.count - 1).")
    }
    guard let key = body["key"] as? String, ["name", "progress"].contains(key) else {
      throw Refusal(422, "The name and the progress of a person can be edited.")
    }
    let person = model.people[row]
    try Refusal.check(
      base: body["base"], present: key == "name" ? person.name : "\(person.progress)",
      new: body["value"].map { "\($0)" } ?? "")
    switch try person.validate(body["value"], forKeyPath: key) {
    case .valid: try person.setValue(body["value"], forKey: key)
    case .replaced(let value): try person.setValue(value, forKey: key)
    }
    return ["row": row, "name": person.name, "progress": person.progress]
  }

  /// Shows some rows, with the cells of the rows that are not shown any more.
  private func show(_ rows: Range<Int>, in window: String) throws -> [[String: Any]] {
    guard var list = lists[window] else { throw Refusal.closedWindow(window) }
    var missing = Set(rows)
    for (index, cell) in list.cells.enumerated() {
      guard let row = cell.row else { continue }
      if missing.remove(row) == nil {
        cell.row = nil
        list.free.append(index)
      }
    }
    for row in missing.sorted() {
      if list.free.isEmpty {
        let cell = PersonCell()
        try cell.build()
        list.free.append(list.cells.count)
        list.cells.append(cell)
      }
      let cell = list.cells[list.free.removeFirst()]
      cell.row = row
      cell.dataObject = model.people[row]
    }
    lists[window] = list
    return list.cells.enumerated().map { index, cell in
      _ = cell.takeChange()
      return cell.members(index)
    }
  }

  // MARK: Time

  func tick() {
    guard isWorking else { return }
    tickCount += 1
    guard tickCount % 3 == 0 else { return }
    // Every seventeenth person, beginning with another one each time.
    for number in stride(from: tickCount / 3 % 17, to: model.people.count, by: 17) {
      let person = model.people[number]
      person.progress = person.progress >= 100 ? 0 : min(100, person.progress + 1 + number % 5)
    }
  }

  func publishChanges(to hub: EventHub) {
    let mean = model.meanProgress
    if isWorkingChanged || mean != shownMean { hub.publish("people.summary", for: nil, summary) }
    (isWorkingChanged, shownMean) = (false, mean)
    for (window, list) in lists {
      let changed = list.cells.enumerated().filter { $1.takeChange() && $1.row != nil }
      guard !changed.isEmpty else { continue }
      hub.publish("people.cells", for: window, ["cells": changed.map { $1.members($0) }])
    }
  }
}
