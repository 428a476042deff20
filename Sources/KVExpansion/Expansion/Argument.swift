import KVSyntax

/// An argument of an attribute.
struct Argument: Equatable {
  /// The value as it is written: `.alias("rebate")`, `"total"`.
  let text: String
  /// The name of a member without a base, `alias` of `.alias("rebate")`; empty for other values.
  let member: String
  /// The place in the arguments, in UTF-8.
  let offset: Int

  /// Reads the arguments of an attribute.
  ///
  /// - Parameter text: The arguments with their parentheses, or nil if there are none.
  static func list(_ text: String?) -> [Argument] {
    guard let text else { return [] }
    let tokens = TokenList(text)
    let end = max(1, tokens.count - 1)
    return tokens.split(1..<end, by: ",").map { range in
      // `KVKeyOption.lenient` is `.lenient`.
      let isQualified = ["KVKeyOption", "KVModelOption"].contains(tokens[range.lowerBound])
      let option = isQualified ? range.lowerBound + 1..<range.upperBound : range
      let isMember = option.count > 1 && tokens[option.lowerBound] == "."
      return Argument(
        text: tokens[option], member: isMember ? String(tokens[option.lowerBound + 1]) : "",
        offset: tokens.tokens[range.lowerBound].range.lowerBound)
    }
  }

  /// Whether it is an option of `@KVKey`.
  var isKnown: Bool { ModelProperty.knownOptions.contains(member) }

  /// The text of a string literal without interpolations and escapes; nil for another value.
  var literal: String? {
    let isLiteral =
      text.utf8.count >= 2 && text.utf8.first == UInt8(ascii: "\"") && text.utf8.last == UInt8(ascii: "\"")
    guard isLiteral, !text.utf8.dropFirst().dropLast().contains(where: { "\"\\\n".utf8.contains($0) }) else {
      return nil
    }
    return String(text.dropFirst().dropLast())
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
      return Argument(text: String(tokens[index]), member: "", offset: 0).literal
    }
  }
}
