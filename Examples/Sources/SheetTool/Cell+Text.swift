import Sheet

extension Cell {
  /// The name and the value, or the error.
  var line: String {
    if let error { "\(name): error: \(error)" } else { "\(name): \(value == nil ? "empty" : shownValue)" }
  }

  /// The value as a table shows it: without `.0`, and `#error` for an error.
  var shownValue: String { error == nil ? Self.text(of: value) : "#error" }

  private static func text(of value: Any?) -> String {
    switch value {
    case nil: ""
    case let number as Double where number == number.rounded() && abs(number) < 1e15: "\(Int(number))"
    case let list as [Any?]: "{\(list.map(text).joined(separator: ", "))}"
    case let value?: "\(value)"
    }
  }
}
