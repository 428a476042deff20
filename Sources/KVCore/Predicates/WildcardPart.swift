/// A part of a pattern: an element, or a wildcard of LIKE.
enum WildcardPart<Element: Equatable & Sendable>: Sendable {
  case literal(Element)
  /// Any one element, `?`.
  case one
  /// Any elements, `*`.
  case any

  /// Whether the part is an element, or any one.
  @inline(__always)
  func matches(_ element: Element) -> Bool {
    switch self {
    case .literal(let own): own == element
    case .one: true
    case .any: false
    }
  }

  /// Returns the index behind what the part matches at an element; nil if it does not match.
  @inline(__always)
  private func end(_ element: Element, _ index: Int, _ next: (Int) -> Int?) -> Int? {
    switch self {
    case .literal(let own): own == element ? index + 1 : nil
    case .one: next(index)
    case .any: nil
    }
  }

  /// Returns whether elements contain a pattern without wildcards.
  @inline(__always)
  static func contains(_ elements: some Collection<Element>, _ pattern: [WildcardPart]) -> Bool {
    guard case .literal(let first)? = pattern.first else { return true }
    var start = elements.startIndex
    while start != elements.endIndex {
      if elements[start] == first {
        var (index, matched) = (elements.index(after: start), 1)
        while matched < pattern.count, index != elements.endIndex, pattern[matched].matches(elements[index]) {
          index = elements.index(after: index)
          matched += 1
        }
        if matched == pattern.count { return true }
        if index == elements.endIndex { return false }
      }
      start = elements.index(after: start)
    }
    return false
  }

  /// Returns whether elements match a pattern with wildcards as a whole.
  @inline(__always)
  ///
  /// - Parameter next: Returns the index behind the character that an element begins; nil if it begins none.
  static func isLike<Elements: RandomAccessCollection<Element>>(
    _ elements: Elements, _ pattern: [WildcardPart], next: (Int) -> Int?
  ) -> Bool where Elements.Index == Int {
    var (index, part) = (0, 0)
    // Where to continue if what follows the last `*` does not match: the `*`, and how far it reached.
    var retry: (part: Int, index: Int)?
    while index < elements.count {
      if part < pattern.count, case .any = pattern[part] {
        part += 1
        retry = (part, index)
      } else if part < pattern.count, let end = pattern[part].end(elements[index], index, next) {
        part += 1
        index = end
      } else if let last = retry {
        retry = (last.part, last.index + 1)
        (part, index) = (last.part, last.index + 1)
      } else {
        return false
      }
    }
    while part < pattern.count, case .any = pattern[part] { part += 1 }
    return part == pattern.count
  }
}

extension WildcardPart<Character> {
  /// Returns whether a text matches a pattern with wildcards, `?` any character of the text before it is folded.
  static func isLike(_ text: String, _ pattern: [WildcardPart], _ options: KVTextOptions) -> Bool {
    var characters: [Character] = []
    // Where the character ends that each folded one begins; zero for the others.
    var ends: [Int] = []
    for character in text {
      let folded = TextFolding.fold(String(character), options)
      if folded.isEmpty { continue }
      let start = characters.count
      characters += folded
      ends += repeatElement(0, count: characters.count - start)
      ends[start] = characters.count
    }
    return isLike(characters, pattern) { ends[$0] == 0 ? nil : ends[$0] }
  }

  /// Returns the parts of the pattern of LIKE: `*`, `?`, and characters, which `\` escapes.
  static func parts(of text: String, _ options: KVTextOptions) -> [WildcardPart] {
    var result: [WildcardPart] = []
    var literal = ""
    var isEscaped = false
    func end() {
      result += TextFolding.fold(literal, options).map { .literal($0) }
      literal = ""
    }
    for character in text {
      if isEscaped {
        literal.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "*" || character == "?" {
        end()
        result.append(character == "*" ? .any : .one)
      } else {
        literal.append(character)
      }
    }
    if isEscaped { literal.append("\\") }
    end()
    return result
  }
}
