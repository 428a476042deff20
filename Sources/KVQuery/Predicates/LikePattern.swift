import KVCore

/// The result of matching a text with a pattern of LIKE.
enum LikeAnswer {
  case match, noMatch
  /// Not known: parts with wildcards need too many comparisons.
  case tooManyComparisons
}

/// A pattern of LIKE: the parts between `*`, which are found from the left, since no later place leaves more room (FLT.6).
struct LikePattern<Element: Equatable & Sendable>: Sendable {
  private enum Part: Sendable {
    case elements(SearchPattern<Element>)
    /// Elements, nil for any character, `?`.
    case wildcards([Element?])

    init(_ elements: [Element?]) {
      let literal = elements.compactMap { $0 }
      self = literal.count == elements.count ? .elements(SearchPattern(literal)) : .wildcards(elements)
    }
  }

  /// How often a text of a length may be compared with parts that have wildcards.
  ///
  /// These are compared at each index, so that their number makes the work of a match linear.
  private struct Allowance {
    private var remainingComparisons: Int

    init(_ count: Int) { remainingComparisons = LikePattern.comparisonsPerElement * (count + 1) }

    mutating func take() -> Bool {
      remainingComparisons -= 1
      return remainingComparisons >= 0
    }
  }

  /// The greatest number of comparisons with parts that have wildcards for each element of a text, on average.
  static var comparisonsPerElement: Int { 64 }

  private let parts: [Part]

  /// - Parameter parts: The parts, at least one: elements, nil for `?`.
  init(_ parts: [[Element?]]) { self.parts = parts.map { Part($0) } }

  /// Returns whether a whole text matches.
  ///
  /// - Complexity: O(*n* + *m*).
  func matches(_ text: some SearchedText<Element>) -> LikeAnswer {
    guard let first = parts.first, let last = parts.last, var start = end(of: first, at: 0, in: text, to: text.count)
    else { return .noMatch }
    if parts.count == 1 { return start == text.count ? .match : .noMatch }
    guard let end = self.start(of: last, in: text), start <= end else { return .noMatch }
    var allowance = Allowance(text.count)
    for part in parts.dropFirst().dropLast() {
      switch part {
      case .elements(let pattern):
        guard let next = pattern.firstEnd(in: text, from: start, to: end) else { return .noMatch }
        start = next
      case .wildcards(let elements):
        var next: Int?
        while next == nil {
          guard end - start >= elements.count else { return .noMatch }
          next = Self.end(of: elements, at: start, in: text, to: end) { allowance.take() }
          guard allowance.take() else { return .tooManyComparisons }
          start += 1
        }
        start = next ?? end
      }
    }
    return .match
  }

  /// Returns the end of a part that begins at an index; nil if it does not.
  private func end(of part: Part, at index: Int, in text: some SearchedText<Element>, to end: Int) -> Int? {
    switch part {
    case .elements(let pattern): Self.end(of: pattern.elements, at: index, in: text, to: end)
    case .wildcards(let elements): Self.end(of: elements, at: index, in: text, to: end) { true }
    }
  }

  private static func end(
    of elements: [Element], at start: Int, in text: some SearchedText<Element>, to end: Int
  ) -> Int? {
    guard end - start >= elements.count else { return nil }
    for (offset, element) in elements.enumerated() where text[start + offset] != element { return nil }
    return start + elements.count
  }

  private static func end(
    of elements: [Element?], at start: Int, in text: some SearchedText<Element>, to end: Int, mayCompare: () -> Bool
  ) -> Int? {
    var index = start
    for element in elements {
      guard index < end, mayCompare() else { return nil }
      if let element {
        if text[index] != element { return nil }
        index += 1
      } else {
        guard let next = text.characterEnd(from: index) else { return nil }
        index = next
      }
    }
    return index <= end ? index : nil
  }

  /// Returns the start of a part that ends where the text does; nil if it does not.
  private func start(of part: Part, in text: some SearchedText<Element>) -> Int? {
    var index = text.count
    switch part {
    case .elements(let pattern):
      index -= pattern.elements.count
      return index >= 0 && end(of: part, at: index, in: text, to: text.count) != nil ? index : nil
    case .wildcards(let elements):
      for element in elements.reversed() {
        guard index > 0 else { return nil }
        if let element {
          index -= 1
          if text[index] != element { return nil }
        } else {
          guard let start = text.characterStart(before: index) else { return nil }
          index = start
        }
      }
      return index
    }
  }
}

extension LikePattern<Character> {
  /// Returns the parts of a text between `*`: characters, which `\` escapes, and nil for `?`.
  static func parts(of text: String, _ options: KVTextOptions) -> [[Character?]] {
    var parts: [[Character?]] = [[]]
    var literal = ""
    var isEscaped = false
    func end() {
      parts[parts.count - 1] += TextFolding.fold(literal, options).map { $0 }
      literal = ""
    }
    for character in text {
      if isEscaped {
        literal.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "*" {
        end()
        parts.append([])
      } else if character == "?" {
        end()
        parts[parts.count - 1].append(nil)
      } else {
        literal.append(character)
      }
    }
    if isEscaped { literal.append("\\") }
    end()
    return parts
  }
}

extension LikePattern<UInt8> {
  /// Creates the pattern for ASCII texts; nil if it has other characters, or line breaks, which may be one character of two
  /// bytes.
  init?(ascii parts: [[Character?]]) {
    var all: [[UInt8?]] = []
    for part in parts {
      var bytes: [UInt8?] = []
      for character in part {
        guard let character else {
          bytes.append(nil)
          continue
        }
        guard character.utf8.count == 1, let byte = character.utf8.first, byte != 0x0A, byte != 0x0D else { return nil }
        bytes.append(byte)
      }
      all.append(bytes)
    }
    self.init(all)
  }
}
