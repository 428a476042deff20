extension DeclarationScanner {
  /// Reads the properties of one `var` or `let` and returns the index behind it.
  func readProperties(at start: Int, _ prefix: Prefix, before end: Int, into members: inout [TypeMember]) -> Int {
    var bindings: [Binding] = []
    var index = start
    repeat {
      let binding = binding(at: index + 1, before: end)
      bindings.append(binding)
      index = binding.end
    } while index < end && tokens.isPunctuation(index, ",")
    if tokens.isPunctuation(index, ";"), index < end { index += 1 }
    let isConstant = tokens[start] == "let"
    for binding in bindings {
      for name in binding.names {
        members.append(
          .property(
            Property(
              name: unquoted(tokens[name]), writtenName: String(tokens[name]), isConstant: isConstant,
              attributes: prefix.attributes, modifiers: prefix.modifiers, type: binding.type.map { tokens[$0] },
              initialValue: binding.initialValue.map { tokens[$0] }, accessors: binding.accessors,
              isDestructured: binding.isDestructured,
              sharesDeclaration: bindings.count > 1 || binding.isDestructured,
              start: tokens.tokens[prefix.start].range.lowerBound, nameRange: tokens.tokens[name].range)))
      }
    }
    return max(index, start + 1)
  }

  /// A pattern with its type, initial value and accessors.
  private struct Binding {
    /// The indexes of the names.
    var names: [Int] = []
    var isDestructured = false
    var type: Range<Int>?
    var initialValue: Range<Int>?
    var accessors = Accessors()
    var end: Int
  }

  private func binding(at start: Int, before end: Int) -> Binding {
    var binding = Binding(end: start)
    guard start < end else { return binding }
    if tokens.isPunctuation(start, "(") {
      binding.end = tokens.end(ofBracketAt: start, before: end)
      binding.names = names(inPattern: start + 1..<max(start + 1, binding.end - 1))
      binding.isDestructured = true
    } else if tokens.kind(start) == .identifier {
      if tokens[start] != "_" { binding.names = [start] }
      binding.end = start + 1
    } else {
      return binding
    }
    if tokens.isPunctuation(binding.end, ":"), binding.end < end {
      let typeStart = binding.end + 1
      binding.end = typeEnd(at: typeStart, before: end)
      if binding.end > typeStart { binding.type = typeStart..<binding.end }
    }
    if tokens.isOperator(binding.end, "="), binding.end < end {
      let valueStart = binding.end + 1
      binding.end = expressionEnd(at: valueStart, before: end)
      if binding.end > valueStart { binding.initialValue = valueStart..<binding.end }
    }
    if tokens.isPunctuation(binding.end, "{"), binding.end < end {
      let braces = binding.end..<tokens.end(ofBracketAt: binding.end, before: end)
      binding.accessors = accessors(in: braces)
      binding.end = braces.upperBound
    }
    return binding
  }

  /// Returns the indexes of the names in a tuple pattern: those behind no label's colon.
  private func names(inPattern range: Range<Int>) -> [Int] {
    range.filter { index in
      tokens.kind(index) == .identifier && tokens[index] != "_" && !tokens.isPunctuation(index + 1, ":")
    }
  }

  // MARK: Accessors

  /// Returns the index of the brace behind an accessor's word, parameter and effects; nil if no accessor begins there.
  private func accessorWord(at start: Int, before end: Int) -> Int? {
    let word = prefix(at: start, before: end).end
    guard word < end, tokens.kind(word) == .identifier, Keywords.accessors.contains(tokens[word]) else { return nil }
    switch tokens[word] {
    // Where no braces follow, these are names: `{ read ? 1 : 2 }`.
    case "read", "modify", "borrow", "mutate": return tokens.isPunctuation(word + 1, "{") ? word : nil
    case "yielding": return tokens.isWord(word + 1, "borrow") || tokens.isWord(word + 1, "mutate") ? word : nil
    default: return word
    }
  }

  /// Returns whether braces behind an initial value hold its property's observers or accessors, rather than being a
  /// closure's: a property with an initial value has no getter without an `init` accessor.
  func beginsAccessors(_ brace: Int, before end: Int) -> Bool {
    let close = tokens.end(ofBracketAt: brace, before: end)
    guard let word = accessorWord(at: brace + 1, before: close),
      ["willSet", "didSet", "init"].contains(tokens[word])
    else { return false }
    return tokens.isPunctuation(word + 1, "{") || tokens.isPunctuation(word + 1, "(")
      || tokens.isWord(word + 1, "async") || tokens.isWord(word + 1, "throws")
  }

  private func accessors(in braces: Range<Int>) -> Accessors {
    var accessors = Accessors()
    accessors.braces = braces
    let end = tokens.isPunctuation(braces.upperBound - 1, "}") ? braces.upperBound - 1 : braces.upperBound
    var index = braces.lowerBound + 1
    guard accessorWord(at: index, before: end) != nil else {
      accessors.getter = index..<max(index, end)
      return accessors
    }
    while index < end, let word = accessorWord(at: index, before: end) {
      let name = tokens[word]
      index = word + 1
      if index < end, tokens.isPunctuation(index, "(") { index = tokens.end(ofBracketAt: index, before: end) }
      var hasEffects = false
      while index < end, tokens.isWord(index, "async") || tokens.isWord(index, "throws") {
        hasEffects = true
        index += 1
        if index < end, tokens.isPunctuation(index, "(") { index = tokens.end(ofBracketAt: index, before: end) }
      }
      var body = index..<index
      if index < end, tokens.isPunctuation(index, "{") {
        let close = tokens.end(ofBracketAt: index, before: end)
        body = index + 1..<max(index + 1, close - 1)
        index = close
      }
      accessors.add(name, body: body, hasEffects: hasEffects)
    }
    return accessors
  }
}

extension Accessors {
  fileprivate mutating func add(_ name: Substring, body: Range<Int>, hasEffects: Bool) {
    switch name {
    case "get", "_read", "read", "unsafeAddress", "borrow":
      getter = body
      getterHasEffects = hasEffects
    case "set", "_modify", "modify", "unsafeMutableAddress", "mutate": hasSetter = true
    case "init": hasInitAccessor = true
    case "willSet", "didSet": observers.append(body)
    default: break
    }
  }
}
