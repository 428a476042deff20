import KVSyntax

extension Model {
  /// Returns errors for aliases that are no keys.
  func aliasErrors(_ options: [Argument], of attribute: Attribute) -> [Diagnostic] {
    options.filter { $0.member == "alias" }.flatMap { option in
      option.names.filter { !$0.isKey }.map { name in
        syntax.error(at: location(of: option, in: attribute), "\"\(name)\" is not a key: \(Self.keyRule)")
      }
    }
  }

  /// Returns errors for options of a struct that name its methods: the compiler reads an attribute before it knows them.
  func methodErrors(_ options: [Argument], of attribute: Attribute) -> [Diagnostic] {
    guard isStruct else { return [] }
    return options.compactMap { option in
      let location = location(of: option, in: attribute)
      switch option.member {
      case "indexed", "indexedInBulk", "unordered", "counted": break
      case "validated":
        let functions = option.labeledValues
        if functions.contains(where: { $0.label == "nil" }) { break }
        let name = functions.first.map { String($0.value.prefix { $0 != "(" }) } ?? ""
        guard declaration.members.contains(where: { $0.isFunction(name, isStatic: false) }) else { return nil }
        return syntax.error(
          at: location,
          "\"\(name)\" is a method, which @KVKey of a struct cannot name: write a static function, \"\(declaration.name).\(name)\", or a closure"
        )
      default: return nil
      }
      return syntax.error(
        at: location,
        "\".\(option.member)\" names methods, which @KVKey of a struct cannot: add @KVIgnored, and a line with closures to \"static func furtherKeys\""
      )
    }
  }

  private func location(of option: Argument, in attribute: Attribute) -> Range<Int> {
    let start = attribute.range.upperBound - (attribute.arguments?.utf8.count ?? 0) + option.offset
    return start..<start + option.text.utf8.count
  }

  /// Whether an attribute is another `@KVModel` than the first one, which makes the model.
  func isRepeated(_ attribute: HostMessage.Syntax) -> Bool {
    let attributes = declaration.attributes.filter { $0.isNamed("KVModel") }
    let end = attribute.location.offset - syntax.location.offset + attribute.source.utf8.count
    return attributes.count > 1 && end > attributes[1].range.lowerBound
  }

  /// Returns the error of a second `@KVModel`.
  func repetitionError(_ expansion: HostMessage.AttachedExpansion) -> Diagnostic {
    expansion.attributeSyntax.error("\(declaration.name) has @KVModel already: write all options in one")
  }

  // MARK: furtherKeys

  /// Returns errors for functions `furtherKeys` that the table does not call (MOD.6).
  var hookErrors: [Diagnostic] {
    guard let attribute else { return [] }
    return declaration.members.compactMap { member in
      guard case .function("furtherKeys", let modifiers, let signature) = member else { return nil }
      guard modifiers.contains("static") || modifiers.contains("class") else {
        return syntax.error(at: attribute.range, "\"furtherKeys\" has to be static: it is called once for the type")
      }
      if hasTable {
        let message = "\"furtherKeys\" is not called: \(declaration.name) declares \"keyTable\" itself"
        return syntax.error(at: attribute.range, message)
      }
      guard !receivesKeys(signature) else { return nil }
      let wanted = "(_ key: \(isClass ? "KVObjectKeys" : "KVValueKeys")<\(declaration.name)>)"
      return syntax.error(
        at: signature, "\"furtherKeys\" is not called: the table calls \"static func furtherKeys\(wanted)\"",
        fixIts: [syntax.fix("write \"\(wanted)\"", replacing: signature, with: wanted)])
    }
  }

  /// Returns whether a function has the keys of the type as its parameter, as far as its type is written.
  private func receivesKeys(_ signature: Range<Int>) -> Bool {
    let words: [Substring] = TokenList(String(decoding: declaration.tokens.source[signature], as: UTF8.self)).words
    // A generic function is not read.
    guard words.first != "<" else { return true }
    guard words.count > 4, words[1] == "_", let colon = words.firstIndex(of: ":") else { return false }
    var type = words[(colon + 1)...].dropLast().joined()
    if type.hasPrefix("KVCore.") { type.removeFirst("KVCore.".count) }
    let prefix = isClass ? "KVObjectKeys<" : "KVValueKeys<"
    guard type.hasPrefix(prefix), type.hasSuffix(">") else { return false }
    // `Box<Int>.Line<Text>` without its generic arguments: `Box.Line`.
    var depth = 0
    let root = type.dropFirst(prefix.count).dropLast().filter { character in
      depth += character == "<" ? 1 : character == ">" ? -1 : 0
      return depth == 0 && character != ">"
    }
    let name = root.split(separator: ".").last ?? ""
    return name == "Self" || name == declaration.name || name == "`\(declaration.name)`"
  }
}

extension TokenList {
  /// The texts of the tokens.
  var words: [Substring] { (0..<count).map { self[$0] } }
}
