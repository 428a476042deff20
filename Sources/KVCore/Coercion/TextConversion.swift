/// The conversions between text and other values that a lenient key makes besides those of numbers (CO.5).
package enum TextConversion {
  private static let truths = ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false]

  /// Returns the value of a type that a text stands for, or `nil` if it stands for none.
  static func value(of type: Any.Type, from text: String) -> Any? {
    if type == Bool.self { return truths[text.lowercased()] }
    if let type = type as? any TextConvertible.Type { return type.init(text: text) }
    if type is any NumericValue.Type { return nil }
    if let type = type as? any CaseIterable.Type, let value = value(named: text, of: type) { return value }
    return (type as? any LosslessStringConvertible.Type).flatMap { lossless(text, $0) }
  }

  /// Returns which texts stand for values of a type, for messages; `nil` if there is nothing to say.
  static func expected(of type: Any.Type) -> String? {
    let type = innermostType(type)
    if type == Bool.self { return "true, false, yes, no, 1 or 0 is expected" }
    if type is any FixedWidthInteger.Type { return "an integer such as 12 is expected" }
    if type is any BinaryFloatingPoint.Type { return "a number such as 12 or -1.5 is expected" }
    if let type = type as? any TextConvertible.Type { return "\(type.expectedText) is expected" }
    return cases(of: type).map { "its cases are \($0)" }
  }

  /// Returns the names of the cases of an enum, or its raw values if these are text; at most 20 of them.
  private static func cases(of type: Any.Type) -> String? { listed(type) { text(of: $0) ?? "\($0)" } }

  /// Returns the raw values of an enum that is `CaseIterable`; at most 20 of them.
  static func rawValues(of type: Any.Type) -> String? {
    listed(type) { ($0 as? any RawRepresentable).map { "\($0.rawValue)" } ?? "\($0)" }
  }

  private static func listed(_ type: Any.Type, _ text: (Any) -> String) -> String? {
    func all<T: CaseIterable>(_ type: T.Type) -> [Any] { Array(type.allCases) }
    guard let cases = (type as? any CaseIterable.Type).map({ all($0) }), !cases.isEmpty else { return nil }
    let names = cases.prefix(20).map(text).joined(separator: ", ")
    return cases.count > 20 ? "\(names) and \(cases.count - 20) more" : names
  }

  /// Returns the text of a value, or `nil` if it has none.
  package static func text(of value: Any) -> String? {
    switch value {
    case let value as any TextConvertible: return value.text
    case is any NumericValue: return "\(value)"
    case is any CaseIterable: return (value as? any RawRepresentable)?.rawValue as? String ?? "\(value)"
    case let raw as any RawRepresentable: return raw.rawValue as? String ?? text(of: raw.rawValue)
    case let lossless as any LosslessStringConvertible: return lossless.description
    default: return nil
    }
  }

  /// Returns the value that a text is the lossless description of, or `nil` if it is of none.
  static func lossless<T: LosslessStringConvertible>(_ text: String, _ type: T.Type) -> T? {
    // The initializer of `Character` is not failable, and traps for any other count.
    if type == Character.self { return text.count == 1 ? Character(text) as? T : nil }
    return type.init(text)
  }

  /// Returns the case of an enum that prints as a text.
  private static func value<T: CaseIterable>(named name: String, of type: T.Type) -> T? {
    type.allCases.first { "\($0)" == name }
  }
}
