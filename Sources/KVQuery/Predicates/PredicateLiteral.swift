import KVCore

/// The literal forms of constants (FLT.2, FLT.13).
enum PredicateLiteral {
  /// Returns the text that parses to an equal constant; nil if there is none.
  static func text(of constant: Any?, depth: Int = 0) -> String? {
    guard let value = constant.flatMap(unwrappingOptionals).map(unwrappingExistentials) else { return "NULL" }
    if let bool = exactCast(value, Bool.self) { return bool ? "TRUE" : "FALSE" }
    if let text = exactCast(value, String.self) { return quoted(text) }
    switch AnyNumber(of: value) {
    // The lexer reads the digits without the sign, of which the least number has one too many.
    case .integer(let integer)?: return integer == .min ? nil : "\(integer)"
    case .floating(let double)?: return double.isFinite ? "\(double)" : nil
    case .wide?, .exact?, nil: break
    }
    if let elements = CollectionElements(of: value), !elements.areKeyed, NestingFault.entering(depth) == nil {
      guard let all = try? elements.all() else { return nil }
      var texts: [String] = []
      for element in all {
        guard let text = text(of: element, depth: depth + 1) else { return nil }
        texts.append(text)
      }
      // The members of a set have no order: their texts have.
      if !elements.areOrdered { texts.sort() }
      return "{\(texts.joined(separator: ", "))}"
    }
    if let cast = FoundationProvider.services?.literal(of: value),
      let constant = text(of: cast.constant, depth: depth + 1)
    {
      return "CAST(\(constant), \(quoted(cast.type)))"
    }
    if let raw = value as? any RawRepresentable, NestingFault.entering(depth) == nil {
      return text(of: raw.rawValue, depth: depth + 1)
    }
    return nil
  }

  /// Returns a text in quotes, with escapes.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
