import KVSyntax

extension Model {
  /// The accessor table, as it would be typed by hand.
  var table: String {
    let affecting = AffectingKeys(self)
    var lines = observed.isEmpty ? [] : ["    key._notify(_kvKeys)"]
    for member in declaration.members {
      switch member {
      case .condition(let condition): lines.append(condition)
      case .property(let property):
        let property = ModelProperty(property)
        if property.isListed { lines.append("    " + line(property, affecting)) }
      case .function: break
      }
    }
    lines = Self.withoutEmptyConditions(lines)
    if hasFurtherKeys { lines.append("    furtherKeys(key)") }
    let body = lines.isEmpty ? "_ in" : "\(actor)key in\n" + lines.joined(separator: "\n") + "\n  "
    let only = options.contains("listedKeysOnly") ? ", listedKeysOnly: true" : ""
    let name = declaration.tokens.name(declaration.name)
    switch (isClass, isRoot) {
    case (true, false):
      return """
        nonisolated override \(access)class var keyTable: KVTable {
          super.keyTable.extended(for: \(name).self\(only)) { \(body)}
        }
        """
    case (true, true):
      return """
        nonisolated \(access)\(isFinal ? "static" : "class") var keyTable: KVTable {
          KVTable(\(name).self\(only)) { \(body)}
        }
        """
    default:
      return """
        nonisolated \(access)static var keyTable: KVTable {
          KVTable(\(name).self\(only)) { \(body)}
        }
        """
    }
  }

  private func line(_ property: ModelProperty, _ affecting: AffectingKeys) -> String {
    var line = "key(\"\(property.key)\", \\.\(property.property.writtenName))"
    if property.hasPrivateSetter, property.option("readOnly") == nil { line += ".readOnly()" }
    for option in property.options where option.member != "independent" { line += call(option) }
    if isClass, property.isArray, property.option("indexed") == nil {
      line += ".inPlace { model, edit in edit(&model.\(property.property.writtenName)) }"
    }
    if property.key != property.property.name { line += "._property(\"\(property.property.name)\")" }
    let (keys, further) = affecting.keys(of: property)
    if !keys.isEmpty { line += ".affected(by: \(Self.literals(keys)))" }
    if !further.isEmpty { line += "._affected(byKeysAmong: \(Self.literals(further)))" }
    return line
  }

  private static func literals(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  /// Returns the call of a table line that an option stands for; names of methods become calls of the methods.
  private func call(_ option: Argument) -> String {
    switch option.member {
    case "validated":
      let function = option.labeledValues.first?.value ?? ""
      return isMethod(function)
        ? ".validated { model, value in try \(callText(function, on: "model", ["value"])) }"
        : ".validated { value in try \(function)(value) }"
    case "indexed", "unordered":
      let functions = option.labeledValues.map { label, function in
        let arguments = label == "insert" ? ["$1", "$2"] : ["$1"]
        return "\(label): { \(callText(function, on: "$0", arguments)) }"
      }
      return ".\(option.member)(\(functions.joined(separator: ", ")))"
    default: return option.text + (option.text.hasSuffix(")") ? "" : "()")
    }
  }

  private func isMethod(_ function: String) -> Bool {
    let name = function.prefix { $0 != "(" }
    return declaration.members.contains { member in
      guard case .function(String(name), let modifiers) = member else { return false }
      return !modifiers.contains("static") && !modifiers.contains("class")
    }
  }

  /// Returns the call of a method by its name, `insertItem(_:at:)`, or by the base of its name.
  private func callText(_ function: String, on model: String, _ arguments: [String]) -> String {
    let parts = function.split(separator: "(", maxSplits: 1)
    let labels = parts.count > 1 ? parts[1].dropLast().split(separator: ":") : []
    let labeled = arguments.enumerated().map { index, argument in
      index < labels.count && labels[index] != "_" ? "\(labels[index]): \(argument)" : argument
    }
    return "\(model).\(parts.first ?? "")(\(labeled.joined(separator: ", ")))"
  }

  /// Removes lines of conditions with nothing between them.
  private static func withoutEmptyConditions(_ lines: [String]) -> [String] {
    var kept: [String] = []
    for line in lines {
      if line.hasPrefix("#endif") {
        var start = kept.count
        while start > 0, kept[start - 1].hasPrefix("#"), !kept[start - 1].hasPrefix("#endif") {
          start -= 1
          if kept[start].hasPrefix("#if") { break }
        }
        if start < kept.count, kept[start].hasPrefix("#if") {
          kept.removeSubrange(start...)
          continue
        }
      }
      kept.append(line)
    }
    return kept
  }
}

extension TokenList {
  /// Returns a name as it has to be written: in backticks if it is a word of the language.
  func name(_ name: String) -> String {
    name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : "`\(name)`"
  }
}
