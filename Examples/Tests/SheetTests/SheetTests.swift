import KVControllers
import KVTestSupport
import Testing

@testable import Sheet

@Suite("A spreadsheet") struct SheetTests {
  let sheet = Sheet()

  private func set(_ edits: KeyValuePairs<String, String>) throws {
    for (name, input) in edits { try sheet.set(name, to: input) }
  }

  private func number(_ name: String) throws -> Double? { try sheet.cell(name).number }

  private func expect(_ name: String, fails sentence: String) throws {
    let cell = try sheet.cell(name)
    #expect(cell.error == sentence && cell.number == nil && cell.text == nil)
  }

  @Test("its classes comply with key-value coding and observing")
  func compliance() throws {
    try expectCompliant(values: ["cells": [sheet.cell("A1")]]) { Sheet() }
    expectCompliant(values: ["input": "3", "value": 3.0, "precedents": ["A1"]]) { [sheet] in Cell("B2", in: sheet) }
  }

  @Test("an input is a number, a text or nothing")
  func constants() throws {
    try set(["A1": "3", "A2": "-1.5e2", "A3": "tea = 3", "A4": "x"])
    #expect(try number("A1") == 3 && number("A2") == -150)
    #expect(try sheet.cell("A3").text == "tea = 3")
    try sheet.set("A4", to: "")
    #expect(try sheet.cell("A4").value == nil)
    let cell = try sheet.cell("B23")
    #expect(cell.value == nil && cell.column == "B" && cell.row == 23)
  }

  @Test(
    "a formula computes with numbers, texts, ranges and conditions",
    arguments: [
      ("= A1 * B2 + 1", 13.0), ("=7 / 2", 3.5), ("= A1 / 2", 1.5), ("= sum(A1:B2)", 10), ("= sum(B2:A1)", 10),
      ("= max(A1:A3) - average({A1, A2})", 0), ("= count(A1:B2)", 4), ("= TERNARY(A1 > 2, A2, B2)", 3),
      ("= length('A1:B2 \\'7\\'') * 1", 9), ("= 2 ** 3 + abs(-A1)", 11), ("= -(A1 + 1)", -4),
    ])
  func formulas(input: String, value: Double) throws {
    try set(["A1": "3", "A2": "3", "B2": "4", "C9": input])
    #expect(try number("C9") == value)
  }

  @Test("a formula may yield a text")
  func texts() throws {
    try set(["A1": "tea", "A2": "= uppercase(A1)", "A3": "= TERNARY(A2 == 'TEA', 'yes', 'no')"])
    #expect(try sheet.cell("A2").text == "TEA" && sheet.cell("A3").text == "yes")
  }

  @Test("a formula follows the cells that it reads, and no other cell")
  func following() throws {
    try set(["A1": "3", "B1": "= A1 * 2", "C1": "= B1 + 1", "D1": "= Z9", "E1": "= sum(A1:A3)"])
    let (first, second, third) = (try sheet.cell("B1"), try sheet.cell("C1"), try sheet.cell("D1"))
    expectChanges(of: second, [.set("value", from: 7.0, to: 9.0), .set("number", from: 7.0, to: 9.0)]) {
      #expect(throws: Never.self) { try sheet.set("A1", to: "4") }
    }
    expectNoChange(of: first, "value") { #expect(throws: Never.self) { try sheet.set("A2", to: "5") } }
    #expect(try number("E1") == 9)
    expectNoChange(of: third, "value") { #expect(throws: Never.self) { try sheet.set("A1", to: "6") } }
    #expect(third.error == "the formula reads an empty cell")
    try sheet.set("Z9", to: "1")
    #expect(third.number == 1 && third.error == nil)

    // Another formula follows other cells.
    try sheet.set("B1", to: "= Z9")
    expectNoChange(of: first, "value") { #expect(throws: Never.self) { try sheet.set("A1", to: "7") } }
    #expect(first.precedents == ["Z9"] && second.number == 2)
  }

  @Test("a cell of which several inputs change is notified once, with consistent values")
  func diamond() throws {
    try set(["A1": "1", "B1": "= A1 + 1", "B2": "= A1 * 10", "B3": "= B2 + A1", "C1": "= B1 + B2 + B3 + A1"])
    let changes = Recorder()
    let token = try sheet.observeElements(of: "cells", "value") { changes.append($0) }
    try sheet.set("A1", to: "2")
    #expect(
      changes.taken() == ["A1: 1.0 → 2.0", "B1: 2.0 → 3.0", "B2: 10.0 → 20.0", "B3: 11.0 → 22.0", "C1: 24.0 → 47.0"])
    try sheet.set("A1", to: "tea")  // fails in three formulas at once
    let fault = "the String \"tea\" is not a number, which the function needs."
    #expect(
      changes.taken()
        == [
          "A1: 2.0 → tea", "B1: 3.0 → \(fault)", "B2: 20.0 → \(fault)", "B3: 22.0 → B2 has an error",
          "C1: 47.0 → B1 has an error",
        ])
    token.cancel()
  }

  @Test("an error is the value of its cell, and of those that read it, until it is mended")
  func errors() throws {
    try set(["A1": "0", "B1": "= 1 / A1", "C1": "= B1 + 1", "D1": "= sum(B1:C1)"])
    try expect("B1", fails: "division by zero: compare with zero first, as in d != 0 AND n / d > 1.")
    try expect("C1", fails: "B1 has an error")
    try expect("D1", fails: "B1 has an error")
    try sheet.set("A1", to: "2")
    #expect(try number("B1") == 0.5 && number("C1") == 1.5 && number("D1") == 2)
    try sheet.set("A1", to: "tea")
    try expect("B1", fails: "the String \"tea\" is not a number, which the function needs.")
    try sheet.set("A1", to: "")
    try expect("B1", fails: "the formula reads an empty cell")
  }

  @Test(
    "an edit that is refused leaves the sheet as it was",
    arguments: [
      ("A0", "1", "A0 is not a cell of A1 to Z999"), ("AA1", "1", "AA1 is not a cell of A1 to Z999"),
      ("A1000", "1", "A1000 is not a cell of A1 to Z999"), ("", "1", " is not a cell of A1 to Z999"),
      ("B1", "= A1 + price", "price is not a cell of A1 to Z999"), ("B1", "= A1.x", "A1.x is not a cell of A1 to Z999"),
      ("B1", "= A1 *", "\"A1 *\" is not an expression: at offset 4, expected an expression, and found the end."),
      ("B1", "= sum(A1:A1000)", "found \"A1:A1000\""), ("A\u{661}", "1", "is not a cell of A1 to Z999"),
      ("B1", "= SUM(A1:A2)", "Did you mean \"sum\"?"), ("B1", "=", "expected an expression, and found the end."),
      ("B1", "= B1 + 1", "B1 would depend on itself: B1 → B1"),
      ("A1", "= 1 + C1", "A1 would depend on itself: A1 → C1 → B1 → A1"),
    ])
  func refusals(name: String, input: String, sentence: String) throws {
    try set(["A1": "1", "B1": "= A1", "C1": "= B1"])
    let changes = Recorder()
    let token = try sheet.observeElements(of: "cells", "value") { changes.append($0) }
    let error = #expect(throws: (any Error).self) { try sheet.set(name, to: input) }
    #expect("\(error as Any)".contains(sentence))
    #expect(changes.taken().isEmpty && sheet.cells.map(\.input) == ["1", "= A1", "= B1"] && sheet.undo.undoCount == 3)
    try sheet.set("A1", to: "5")
    #expect(try number("C1") == 5)
    token.cancel()
  }

  @Test("a cycle is reported with its cells, and possible again when another edit has opened it")
  func cycles() throws {
    try set(["A1": "1", "B1": "= A1 + 1", "C1": "= sum(A1:B1)"])
    let error = #expect(throws: CellError.self) { try sheet.set("A1", to: "= sum(B1:C1)") }
    #expect(error?.description.hasPrefix("A1 would depend on itself: A1 → ") == true)
    try set(["B1": "2", "C1": "3", "A1": "= sum(B1:C1)"])
    #expect(try number("A1") == 5)
    #expect(throws: CellError("C1 would depend on itself: C1 → A1 → C1")) { try sheet.set("C1", to: "= A1") }
    try set(["A1": "7", "C1": "= A1"])
    #expect(try number("C1") == 7)
  }

  @Test("a long chain and many diamonds in a row take no stack and no exponential time")
  func depth() throws {
    try sheet.set("A1", to: "1")
    for row in 2...200 { try sheet.set("A\(row)", to: "= (A\(row - 1) + A\(row - 1)) / 2") }
    for row in 2...60 { try sheet.set("B\(row)", to: "= A\(row - 1) + A\(row)") }
    try sheet.set("A1", to: "3")
    #expect(try number("A200") == 3 && number("B60") == 6)
    #expect(throws: CellError.self) { try sheet.set("A1", to: "= A200") }
  }

  @Test("formulas are undone and redone, with what they depend on")
  func undo() throws {
    try set(["A1": "1", "A2": "2", "B1": "= A1", "C1": "= B1 * 10", "B1": "= A2 + A1", "A1": "= A2"])
    #expect(sheet.undo.undoMenuTitle == "Undo A1 = = A2")
    #expect(try number("C1") == 40)
    try sheet.undo.undo()  // A1 is 1
    #expect(try number("C1") == 30)
    try sheet.undo.undo()  // B1 reads A1 only
    #expect(try number("C1") == 10 && sheet.cell("B1").precedents == ["A1"])
    try sheet.set("A2", to: "5")
    #expect(try number("C1") == 10 && !sheet.undo.canRedo)
    while try sheet.undo.undo() {}
    #expect(sheet.cells.allSatisfy { $0.input.isEmpty && $0.value == nil })
    while try sheet.undo.redo() {}
    #expect(try number("A2") == 5 && number("C1") == 10)
    try sheet.set("B1", to: "= A2")
    #expect(try number("C1") == 50)
  }

  @Test("a formula that fails is undone and redone, too")
  func undoOfErrors() throws {
    try set(["A1": "1", "B1": "= 1 / A1", "A1": "0", "B1": "5"])
    try sheet.undo.undo()
    #expect(try sheet.cell("B1").error?.hasPrefix("division by zero") == true)
    try sheet.undo.undo()
    #expect(try number("B1") == 1)
    try sheet.undo.redo()
    #expect(try sheet.cell("B1").error?.hasPrefix("division by zero") == true)
  }

  @Test("a transaction that fails leaves the sheet as it was, and one that does not is one step")
  func transactions() throws {
    try set(["A1": "1", "B1": "= A1"])
    #expect(throws: CellError.self) {
      try KVTransaction.run {
        try set(["A1": "= C1", "C1": "5", "B1": "= C1"])
        #expect(try number("B1") == 5)
        try sheet.set("C1", to: "= B1")
      }
    }
    #expect(try number("A1") == 1 && number("B1") == 1 && sheet.cell("C1").value == nil && sheet.undo.undoCount == 2)
    try sheet.set("C1", to: "= B1")
    #expect(try number("C1") == 1)
    try KVTransaction.run { try set(["B1": "2", "A1": "= C1"]) }  // in the other order it would be a cycle
    #expect(try number("A1") == 2)
    try sheet.undo.undo()
    #expect(try number("A1") == 1 && number("C1") == 1)
    try sheet.undo.redo()
    #expect(try number("A1") == 2)
    try sheet.set("B1", to: "3")
    #expect(try number("A1") == 3)
  }

  @Test("a filter follows the cells")
  func filter() throws {
    try set(["B1": "= A1 * 2", "A1": "3", "A2": "tea", "C1": "= 1 / (A1 - 5)"])
    let list = try sheet.cells(where: "number > 3 OR error != NULL")
    #expect(list.elements.map(\.name) == ["B1"])
    try sheet.set("A1", to: "5")
    #expect(list.elements.map(\.name) == ["A1", "B1", "C1"])
    try sheet.set("A3", to: "= B1")
    #expect(list.elements.map(\.name) == ["A1", "B1", "C1", "A3"])
    try sheet.undo.undo()
    try sheet.undo.undo()
    #expect(list.elements.map(\.name) == ["B1"])
    #expect(try sheet.cells(where: "row == 1 AND column != 'B'").elements.map(\.name) == ["A1", "C1"])
    #expect(try sheet.cells(where: "text CONTAINS 'e'").elements.map(\.name) == ["A2"])
    #expect(try sheet.cells(where: "ANY precedents == 'A1'").elements.map(\.name) == ["B1", "C1"])
  }

  @Test(
    "a filter that is wrong is refused",
    arguments: [
      ("numbr > 3", "Did you mean \"number\"?"), ("number >", "at offset 8"), ("value > 3", "cannot be compared"),
    ])
  func filters(format: String, sentence: String) throws {
    try set(["A1": "tea", "A2": "4"])
    let error = #expect(throws: KVError.self) { try sheet.cells(where: format) }
    #expect(error?.message.contains(sentence) == true)
  }

  @Test("nothing keeps a sheet")
  func lifetime() throws {
    var sheet: Sheet? = Sheet()
    try sheet?.set("A1", to: "= sum(A2:A9)")
    let cell = try sheet?.cell("A2")
    try sheet?.set("A2", to: "3")
    expectReleased(&sheet)
    #expect(cell?.number == 3)
  }
}
