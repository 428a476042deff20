import KVControllers

/// A cell: what the user has typed, and the value that follows from it.
@KVModel public final class Cell: KVObject {
  /// The name, from A1 to Z999.
  public let name: String
  /// What ``Sheet/set(_:to:)`` has set: a number, a text, or a formula.
  public internal(set) var input = "" { didSet { if input != oldValue { follow() } } }
  /// The number or the text, the value of the formula or its ``CellError``, or nil in an empty cell.
  public internal(set) var value: Any?
  /// The names of the cells that the formula reads.
  public internal(set) var precedents: [String] = []
  /// The value, if it is a number.
  public var number: Double? { value as? Double ?? (value as? Int).map(Double.init) }
  /// The value, if it is a text.
  public var text: String? { value as? String }
  /// The sentence of the error, if the formula has one.
  public var error: String? { (value as? CellError)?.description }
  /// The letter of the name.
  public var column: String { String(name.prefix(1)) }
  /// The number of the name.
  public var row: Int { Int(name.dropFirst()) ?? 0 }

  @KVIgnored private unowned let sheet: Sheet
  @KVIgnored private var binding: KVPathBinding?

  init(_ name: String, in sheet: Sheet) { (self.name, self.sheet) = (name, sheet) }

  /// Binds the value to those of the cells that the input reads.
  private func follow() {
    binding?.cancel()
    do {
      let formula = try Formula(input)
      precedents = formula?.precedents ?? []
      guard let formula, !precedents.isEmpty else { return value = formula.map { $0.value(of: []) } ?? constant }
      let sources = try precedents.map { try KVBindingSource(sheet.cell($0), "value") }
      binding = try bind("value", toAll: sources, by: KVCombiner(formula.value))
    } catch {
      value = CellError("\(error)")
    }
  }

  private var constant: Any? { if let number = Double(input) { number } else { input.isEmpty ? nil : input } }
}
