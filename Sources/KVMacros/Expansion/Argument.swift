import KVSyntax

/// An argument of an attribute.
struct Argument: Equatable {
  /// The value as it is written: `.alias("rebate")`, `"total"`.
  let text: String
  /// The name of a member without a base, `alias` of `.alias("rebate")`; empty for other values.
  let member: String

  /// Reads the arguments of an attribute.
  ///
  /// - Parameter text: The arguments with their parentheses, or nil if there are none.
  static func list(_ text: String?) -> [Argument] {
    guard let text else { return [] }
    let tokens = TokenList(text)
    let end = max(1, tokens.count - 1)
    return tokens.split(1..<end, by: ",").map { range in
      let isMember = tokens[range.lowerBound] == "."
      return Argument(text: tokens[range], member: isMember ? String(tokens[range.lowerBound + 1]) : "")
    }
  }

  /// The text of a string literal without interpolation; nil for another value.
  var literal: String? {
    text.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"") ? String(text.dropFirst().dropLast()) : nil
  }

  /// The values among the arguments of a member by their labels: `check` for `by` of `.validated(by: check)`.
  var labeledValues: [(label: String, value: String)] {
    let tokens = TokenList(text)
    guard tokens.count > 3 else { return [] }
    return tokens.split(3..<tokens.count - 1, by: ",").compactMap { range in
      guard range.count > 2, tokens[range.lowerBound + 1] == ":" else { return nil }
      return (String(tokens[range.lowerBound]), tokens[range.lowerBound + 2..<range.upperBound])
    }
  }

  /// The string literals among the arguments of a member: the names of `.alias("a", "b")`.
  var names: [String] {
    let tokens = TokenList(text)
    return (0..<tokens.count).compactMap { index in
      guard tokens.tokens[index].kind == .string else { return nil }
      return Argument(text: String(tokens[index]), member: "").literal
    }
  }
}
