import Foundation
import KVControllers
import Sheet

/// A sheet, and the commands that edit and show it.
final class Session {
  static let help = """
    A1 = 3               sets a cell to a number, a text, a formula behind =, or nothing
    A2 = = A1 * 2 + 1    a formula; = sum(A1:B9) and = TERNARY(A1 > 3, 'big', 'small') are others
    A1                   shows a cell
    show                 shows all cells
    filter number > 3    lists the cells that meet a condition, and filter alone lists those that meet it now;
                         the keys are name, column, row, input, value, number, text, error and precedents
    undo, redo           reverts the last edit, or makes it again
    save FILE            writes a file, and save alone the file that was read or written last
    help, quit
    """

  private let sheet = Sheet()
  private var file: String?
  private var filter: KVArrangement<Cell>?
  private var changed: [Cell] = []
  private var observation: KVObservation?
  private(set) var isRunning = true

  init() throws {
    observation = try sheet.observeElements(of: "cells", "value", options: .distinct) { [unowned self] change in
      if let cell = change.object as? Cell { changed.append(cell) }
    }
  }

  /// Reads a file into the sheet.
  ///
  /// - Throws: ``Failure`` that names the line which is wrong. The sheet is then as it was.
  func open(_ file: String) throws {
    let text: String
    do { text = try String(contentsOfFile: file, encoding: .utf8) } catch {
      throw Failure("cannot read \(file): \(error.localizedDescription)")
    }
    try KVTransaction.run {
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let line = line.trimmingCharacters(in: .whitespaces)
        if line.isEmpty || line.hasPrefix("#") { continue }
        do { try edit(line) } catch {
          throw Failure("\(file):\(index + 1): \((error as? KVError)?.message ?? "\(error)")")
        }
      }
    }
    sheet.undo.removeAll()
    sheet.undo.markSaved()
    self.file = file
  }

  /// Runs a command; returns the lines of its output.
  func run(_ line: String) throws -> [String] {
    changed = []
    let line = line.trimmingCharacters(in: .whitespaces)
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    let rest = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : nil
    switch words.first {
    case nil: return []
    case "help": return [Self.help]
    case "quit": isRunning = false
    case "show": return Table(sheet.cells).lines
    case "undo":
      guard let name = sheet.undo.undoName, try sheet.undo.undo() else { throw Failure("there is nothing to undo") }
      return ["undone: \(name)"] + changes()
    case "redo":
      guard let name = sheet.undo.redoName, try sheet.undo.redo() else { throw Failure("there is nothing to redo") }
      return ["redone: \(name)"] + changes()
    case "save": try save(rest)
    case "filter":
      if let rest { filter = try sheet.cells(where: rest) }
      guard let filter else { throw Failure("there is no filter yet: write filter number > 3") }
      if let error = filter.arrangementError { throw error }
      return filter.elements.map(\.line)
    default:
      if line.contains("=") {
        try edit(line)
        return changes()
      }
      guard line.wholeMatch(of: /[A-Za-z]+[0-9]+/) != nil else {
        throw Failure("\(line) is not a command: help lists the commands")
      }
      let cell = try sheet.cell(line)
      return [cell.input.hasPrefix("=") ? "\(cell.line)    \(cell.input)" : cell.line]
    }
    return []
  }

  private func edit(_ line: String) throws {
    let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard sides.count == 2 else { throw Failure("\(line) is not an edit: write A1 = 3") }
    try sheet.set(sides[0], to: sides[1])
  }

  /// Returns a line for each cell whose value the command has changed, in the order of the notifications.
  private func changes() -> [String] { changed.map(\.line) }

  private func save(_ name: String?) throws {
    guard let name = name ?? file else { throw Failure("there is no file yet: write save FILE") }
    let lines = sheet.cells.filter { !$0.input.isEmpty }.map { "\($0.name) = \($0.input)\n" }
    do { try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: name), options: .atomic) } catch {
      throw Failure("cannot write \(name): \(error.localizedDescription)")
    }
    sheet.undo.markSaved()
    file = name
  }
}
