import KVBinding
import KVControllers
import KVCore
import TestModels
import Testing

@Suite("FRM.6: formulas that read each other in a circle")
struct FormulaCircleTests {
  private let left = FormulaCell()
  private let right = FormulaCell()
  /// It begins with the formula for which the stack has no room.
  private let sentences = [("", " + 1"), (" + 1", "")].map { first, second in
    """
    formulas read each other in a circle, so that they have no value: FormulaCell[other.formula.value\(first)] → \
    FormulaCell[other.formula.value\(second)] → FormulaCell[other.formula.value\(first)]. Let one of them read other keys.
    """
  }

  /// Lets the formula of each cell read that of the other one.
  private func close() throws {
    left.formula = try KVFormula(KVExpression(format: "other.formula.value + 1"), of: left)
    right.formula = try KVFormula(KVExpression(format: "other.formula.value"), of: right)
    (left.other, right.other) = (right, left)
  }

  private func open() { (left.other, right.other) = (nil, nil) }

  @Test("FRM.6, KVC.18: a read throws an error that names the formulas of the circle, on a stack of any size")
  func read() throws {
    try close()
    defer { open() }
    for kilobytes in [256, 1_024] {
      let error = SmallStack.error(kilobytes: kilobytes) { [left] in _ = try left.formula?.value } as? KVError
      #expect(error?.code == .limitExceeded && sentences.contains(error?.message ?? ""), "\(error?.message ?? "none")")
    }
  }

  @Test("FRM.6: so does a binding, and an observation reports it, and goes on when the circle is open")
  func follow() throws {
    left.formula = try KVFormula(KVExpression(format: "other.formula.value + 1"), of: left)
    right.formula = try KVFormula(KVExpression(format: "number"), of: right)
    left.other = right
    let log = ChangeLines()
    let token = try log.watch(left, "formula.value")
    defer { open() }
    let events = try capturingEvents {
      right.formula = try KVFormula(KVExpression(format: "other.formula.value"), of: right)
      right.other = left
    }
    #expect(events.contains { $0.message.contains("formulas read each other in a circle") })
    expect(.limitExceeded) { try FormulaCell().bind("number", to: "formula.value", of: left) }
    _ = try capturingEvents { right.formula = try KVFormula(KVExpression(format: "number"), of: right) }
    _ = log.take()
    right.number = 7
    #expect(log.take() == ["formula.value setting 1 → 8"])
    token.cancel()
  }

  @Test("FRM.6: a formula that reads itself is a circle of one")
  func itself() throws {
    left.other = left
    defer { open() }
    left.formula = try KVFormula(KVExpression(format: "other.formula.value"), of: left)
    let error = #expect(throws: KVError.self) { try left.formula?.value }
    #expect(
      error?.message == """
        formulas read each other in a circle, so that they have no value: FormulaCell[other.formula.value] → \
        FormulaCell[other.formula.value]. Let one of them read other keys.
        """)
  }

  @Test("FRM.6: getters that read formulas can close a circle, and do not end the process")
  func getters() throws {
    (left.other, right.other) = (right, left)
    defer { open() }
    left.formula = try KVFormula(KVExpression(format: "other.amount"), of: left)
    right.formula = try KVFormula(KVExpression(format: "other.amount"), of: right)
    #expect(try left.formula?.value == nil)
    let error = FormulaCell.failures.withLock { $0.first }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.message == """
        formulas read each other in a circle, so that they have no value: FormulaCell[other.amount] → \
        FormulaCell[other.amount] → FormulaCell[other.amount]. Let one of them read other keys.
        """)
  }

  @Test("FRM.6, KVC.18: a chain of formulas that is too long for the stack is no circle, and the error says so")
  func chain() throws {
    let cells = (0..<3_000).map { _ in FormulaCell() }
    for (cell, next) in zip(cells, cells.dropFirst()) {
      cell.other = next
      cell.formula = try KVFormula(KVExpression(format: "other.formula.value"), of: cell)
    }
    defer { for cell in cells { cell.other = nil } }
    let error = SmallStack.error(kilobytes: 256) { _ = try cells[0].formula?.value } as? KVError
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.message == """
        formulas are nested too deeply for the stack of this thread at "value"; use a thread with a larger stack.
        """)
  }
}

/// A cell whose formula reads that of another one.
@KVModel private final class FormulaCell: KVObject {
  static let failures = Locked<[KVError]>([])

  var number = 0
  var other: FormulaCell?
  var formula: KVFormula?

  var amount: Any? {
    do {
      return try formula?.value
    } catch {
      Self.failures.withLock { $0.append(error) }
      return nil
    }
  }
}
