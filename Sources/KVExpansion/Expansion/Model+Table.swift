import KVSyntax

extension Model {
  /// The accessor table, as it would be typed by hand.
  var table: String {
    let affecting = AffectingKeys(self)
    var lines = notifications
    let byName = Dictionary(
      properties.map { ($0.property.nameRange.lowerBound, $0) }, uniquingKeysWith: { first, _ in first })
    for member in declaration.members {
      switch member {
      case .condition(let condition): lines.append(condition)
      case .property(let property):
        guard let property = byName[property.nameRange.lowerBound] else { break }
        if isClass, isConditional(property), property.isObserved { lines.append(notification([property])) }
        if property.isListed { lines.append("    " + line(property, affecting)) }
      case .function, .type: break
      }
    }
    lines = Self.withoutEmptyConditions(lines) + ["    furtherKeys(key)"] + (mayBeUntracked ? ["    _untracked()"] : [])
    let body = "\(actor)key in\n" + lines.joined(separator: "\n") + "\n  "
    let only = options.contains("listedKeysOnly") ? ", listedKeysOnly: true" : ""
    let name = declaration.tokens.name(declaration.name)
    let word = isClass && !isFinal || isClass && !isRoot ? "class" : "static"
    let override = isClass && !isRoot ? "override " : ""
    let call =
      isClass && !isRoot ? "super.keyTable.extended(for: \(name).self\(only))" : "KVTable(\(name).self\(only))"
    return """
      nonisolated \(override)\(tableAccess)\(word) var keyTable: KVTable {
        \(call) { \(body)}
      }
      """
  }

  /// The line that says which properties notify: of those that are compiled under conditions, a line there does.
  private var notifications: [String] {
    let always = observed.filter { !isConditional($0) }
    if always.isEmpty { return [] }
    return [always.count == observed.count ? "    key._notify(_kvKeys)" : notification(always)]
  }

  private func notification(_ properties: [ModelProperty]) -> String {
    "    key._notify(\(Self.literals(properties.map(\.key))))"
  }

  private func line(_ property: ModelProperty, _ affecting: AffectingKeys) -> String {
    let name = property.property.writtenName
    let isEditedByMethods = property.option("indexed") != nil || property.option("indexedInBulk") != nil
    var line =
      if isClass, property.isArray, !isEditedByMethods {
        "key._array(\"\(property.key)\", \\.\(name)) { model, edit in edit(&model.\(name)) }"
      } else if isClass, property.isObserved, !property.hasPrivateSetter {
        "key._stored(\"\(property.key)\", \\.\(name)\(keepsValues(property))) { $0.\(name) = $1 }"
      } else {
        "key(\"\(property.key)\", \\.\(name))"
      }
    if property.hasPrivateSetter, property.option("readOnly") == nil { line += ".readOnly()" }
    for option in property.options where option.member != "independent" && option.isKnown { line += call(option) }
    if property.key != property.property.name { line += "._property(\"\(property.property.name)\")" }
    let (keys, further) = affecting.keys(of: property)
    if !keys.isEmpty { line += ".affected(by: \(Self.literals(keys)))" }
    if !further.isEmpty { line += "._affected(byKeysAmong: \(Self.literals(further)))" }
    return line
  }

  /// Returns the argument that says that a property has any value that is set; empty for one with observers, for a weak
  /// one, and for one that a subclass may override.
  private func keepsValues(_ property: ModelProperty) -> String {
    let property = property.property
    return isFinal && !property.accessors.hasObservers && !property.has("weak") ? ", keepsValues: true" : ""
  }

  private static func literals(_ names: [String]) -> String {
    names.map { "\"\($0)\"" }.joined(separator: ", ")
  }

  /// Returns the call of a table line that an option stands for; names of methods become calls of the methods.
  private func call(_ option: Argument) -> String {
    func closure(_ function: String, _ count: Int) -> String {
      "{ \(callText(function, on: "$0", (1...max(count, 1)).prefix(count).map { "$\($0)" })) }"
    }
    switch option.member {
    case "validated": return validated(option)
    case "indexed", "indexedInBulk", "unordered":
      let functions = option.labeledValues.map { label, function in
        let isReplace = label == "replace"
        let count = option.member != "unordered" && (label == "insert" || isReplace) ? 2 : 1
        return "\(label): \(closure(function, count))"
      }
      return ".\(option.member)(\(functions.joined(separator: ", ")))"
    case "counted":
      let functions = option.labeledValues.map { label, function in
        "\(label): \(closure(function, label == "element" ? 1 : 0))"
      }
      return ".counted(\(functions.joined(separator: ", ")))"
    // A call ends with its arguments, or with a closure behind them.
    default: return option.text + (option.text.hasSuffix(")") || option.text.hasSuffix("}") ? "" : "()")
    }
  }

  /// Returns the call of `validated`: with a closure, a function of the value, or a method of the model.
  private func validated(_ option: Argument) -> String {
    let functions = option.labeledValues
    let function = functions.first?.value ?? ""
    let forNil = functions.first { $0.label == "nil" }?.value
    let isOfValue = !isMethod(function)
    guard forNil != nil || !isOfValue else {
      return function.hasPrefix("{")
        ? ".validated(\(function))" : ".validated \(Self.validator("value", "\(function)(value)"))"
    }
    let check = isOfValue ? "\(function)(value)" : callText(function, on: "model", ["value"])
    let parameters = isOfValue ? "_, value" : "model, value"
    let nilCheck = forNil.map { ", nil: { model in try ._result(\(callText($0, on: "model", []))) }" } ?? ""
    let validator = Self.validator(parameters, check)
    return nilCheck.isEmpty ? ".validated \(validator)" : ".validated(\(validator)\(nilCheck))"
  }

  /// Returns a closure that calls a validator: one of two statements, whose types the compiler checks one by one, so that
  /// it says which one does not fit.
  private static func validator(_ parameters: String, _ check: String) -> String {
    """
    { \(parameters) in
          let result = try KVValidation._result(\(check))
          return result
        }
    """
  }

  /// Whether a function is a method of the model: it has no type or closure before it, and is not static.
  private func isMethod(_ function: String) -> Bool {
    let name = String(function.prefix { $0 != "(" })
    guard !name.contains("."), !name.hasPrefix("{") else { return false }
    return !declaration.members.contains { $0.isFunction(name, isStatic: true) }
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
  static func withoutEmptyConditions(_ lines: [String]) -> [String] {
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
