import KVControllers

/// An expression over cells, such as `= sum(A1:A9) / B1`.
struct Formula {
  /// The names of the cells that the expression reads.
  let precedents: [String]
  private let expression: KVExpression

  /// Parses an input; nil if it does not begin with `=`.
  ///
  /// - Throws: `KVError` for a malformed expression, ``CellError`` for a key that is not the name of a cell.
  init?(_ input: String) throws {
    guard input.hasPrefix("=") else { return nil }
    // A range becomes a list, and an integer a Double, since 7 / 2 is 3 in an expression. Texts stay.
    let token =
      /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|([A-Z])([1-9][0-9]{0,2}):([A-Z])([1-9][0-9]{0,2})\b|[\w.]+/
    let format = input.trimmingPrefix(/=\s*/).replacing(token) { match in
      guard case (_, let left?, let top?, let right?, let bottom?) = match.output else {
        return match.0.allSatisfy { "0"..."9" ~= $0 } ? "\(match.0).0" : String(match.0)
      }
      let columns = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".filter { (min(left, right)...max(left, right)).contains("\($0)") }
      let rows = [Int(top) ?? 1, Int(bottom) ?? 1].sorted()
      return "{\(columns.flatMap { column in (rows[0]...rows[1]).map { "\(column)\($0)" } }.joined(separator: ", "))}"
    }
    expression = try KVExpression(format: String(format))
    precedents = expression.keyPaths.map(\.description).sorted()
    for name in precedents { try Sheet.check(name) }
  }

  /// Evaluates the expression with the values of its cells; an error becomes the value.
  func value(of values: [Any?]) -> Any? {
    let cells = Dictionary(uniqueKeysWithValues: zip(precedents, values))
    if let failed = precedents.first(where: { cells[$0] is CellError }) { return CellError("\(failed) has an error") }
    let empty = precedents.isEmpty ? nil : CellError("the formula reads an empty cell")
    do { return try expression.value(of: cells) ?? empty } catch { return CellError(error.message) }
  }
}
