import KVControllers
import Testing

@testable import Sheet

@Suite("Random edits of a sheet, compared with one that computes everything anew") struct RandomEditTests {
  private static let columns = Array("ABCDE")
  private static let rows = 1...5

  /// Numbers that are the same in each run.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {  // SplitMix64
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private struct RolledBack: Error {}

  /// A step of the history: the sheet before or after it, and whether it is one edit.
  private struct Step {
    var sheet: NaiveSheet
    var isSingle: Bool
  }

  private static func name(_ random: inout Generator) -> String {
    "\(columns.randomElement(using: &random)!)\(rows.randomElement(using: &random)!)"
  }

  private static func term(_ depth: Int, _ random: inout Generator) -> NaiveSheet.Term {
    switch Int.random(in: 0..<(depth == 0 ? 4 : 10), using: &random) {
    case 0: return .number(Int.random(in: 0...3, using: &random))
    case 1, 2: return .cell(name(&random))
    case 3, 4:
      let (left, right) = (Int.random(in: 0...4, using: &random), Int.random(in: 0...4, using: &random))
      let (top, bottom) = (rows.randomElement(using: &random)!, rows.randomElement(using: &random)!)
      let names = columns[min(left, right)...max(left, right)].flatMap { column in
        (min(top, bottom)...max(top, bottom)).map { "\(column)\($0)" }
      }
      // A range of few cells, so that not every formula makes a cycle.
      guard names.count <= 4 else { return .cell(names[0]) }
      return .sum(names, range: "\(columns[left])\(top):\(columns[right])\(bottom)")
    case 5:
      return .condition(
        term(depth - 1, &random), term(depth - 1, &random), term(depth - 1, &random), term(depth - 1, &random))
    default:
      return .operation("+-*/".randomElement(using: &random)!, term(depth - 1, &random), term(depth - 1, &random))
    }
  }

  private static func input(_ random: inout Generator) -> NaiveSheet.Input {
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: .empty
    case 2: .text(["tea", "cups"].randomElement(using: &random)!)
    case 3..<10: .number(Int.random(in: -3...9, using: &random))
    default: .formula(term(2, &random))
    }
  }

  private static func agree(_ value: Any?, _ expected: NaiveSheet.Value) -> Bool {
    switch expected {
    case .empty: return value == nil
    case .text(let text): return value as? String == text
    case .error: return value is CellError
    case .number(let expected):
      guard let number = value as? Double ?? (value as? Int).map(Double.init) else { return false }
      return number == expected || number.isNaN && expected.isNaN || abs(number - expected) <= abs(expected) * 1e-9
    }
  }

  @Test("after each of 2,000 edits, undos and redos all values are right, and each cell was notified at most once")
  func edits() throws {
    var random = Generator(state: 1)
    let sheet = Sheet()
    let recorder = Recorder()
    let token = try sheet.observeElements(of: "cells", "value") { recorder.append($0) }
    var (naive, undone, redone) = (NaiveSheet(), [Step](), [Step]())
    var counts = (edits: 0, cycles: 0, errors: 0, dependents: 0, rolledBack: 0)

    for step in 1...2_000 {
      let before = naive
      var isSingle = true
      switch Int.random(in: 0..<20, using: &random) {
      case 0, 1:
        #expect(try sheet.undo.undo() == !undone.isEmpty)
        if let last = undone.popLast() {
          redone.append(Step(sheet: naive, isSingle: last.isSingle))
          (naive, isSingle) = (last.sheet, last.isSingle)
        }
      case 2:
        #expect(try sheet.undo.redo() == !redone.isEmpty)
        if let last = redone.popLast() {
          undone.append(Step(sheet: naive, isSingle: last.isSingle))
          (naive, isSingle) = (last.sheet, last.isSingle)
        }
      case 3:  // several edits that are one step, or none
        isSingle = false
        let isKept = Bool.random(using: &random)
        do {
          try KVTransaction.run {
            for _ in 1...4 { try edit(sheet, &naive, &random) }
            if !isKept { throw RolledBack() }
          }
        } catch is RolledBack {
          counts.rolledBack += 1
          naive = before
        }
        if naive != before { (undone, redone) = (undone + [Step(sheet: before, isSingle: false)], []) }
      default:
        counts.edits += 1
        if try !edit(sheet, &naive, &random) { counts.cycles += 1 }
        if naive != before { (undone, redone) = (undone + [Step(sheet: before, isSingle: true)], []) }
      }

      let values = naive.values()
      for cell in sheet.cells {
        let expected = values[cell.name] ?? .empty
        guard Self.agree(cell.value, expected), cell.input == "\(naive.inputs[cell.name] ?? .empty)" else {
          Issue.record("step \(step): \(cell.name) [\(cell.input)] is \(cell.value ?? "nil"), not \(expected)")
          return
        }
        if expected == .error { counts.errors += 1 }
      }
      if isSingle {
        let edited = Set(naive.inputs.keys).union(before.inputs.keys)
          .filter { naive.inputs[$0] != before.inputs[$0] }
        let notified = recorder.changes.map(\.cell.name)
        #expect(edited.count <= 1 && Set(notified).count == notified.count, "step \(step)")
        #expect(naive.dependents(of: edited).isSuperset(of: notified), "step \(step)")
        for (cell, old, new) in recorder.changes where !edited.contains(cell.name) {
          #expect(Self.agree(new, values[cell.name] ?? .empty) && !KVC.areEqual(old, new), "step \(step): \(cell.name)")
          counts.dependents += 1
        }
      }
      _ = recorder.taken()
    }
    token.cancel()
    #expect(counts.edits > 1_000 && counts.cycles > 50 && counts.errors > 500 && counts.rolledBack > 20)
    #expect(counts.dependents > 500)
  }

  /// Edits a cell of both sheets, or of none if that makes a cycle; returns whether it did not.
  @discardableResult private func edit(
    _ sheet: Sheet, _ naive: inout NaiveSheet, _ random: inout Generator
  ) throws -> Bool {
    let (name, input) = (Self.name(&random), Self.input(&random))
    var edited = naive
    edited.inputs[name] = input == .empty ? nil : input
    if edited.hasCycle(through: name) {
      let error = #expect(throws: CellError.self) { try sheet.set(name, to: "\(input)") }
      #expect(error?.description.hasPrefix("\(name) would depend on itself: \(name) → ") == true)
      return false
    }
    try sheet.set(name, to: "\(input)")
    naive = edited
    return true
  }
}
