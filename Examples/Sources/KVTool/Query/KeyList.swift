import KVControllers

/// The value of an option: key paths between commas, each with words behind colons.
struct KeyList {
  /// A part of the text, and where it begins.
  struct Part {
    let text: String
    let offset: Int
  }

  /// The option, for messages.
  let option: String
  let text: String

  /// The parts between commas, each split at its colons.
  var items: [[Part]] {
    Self.split(Part(text: text, offset: 0), at: ",").map { Self.split($0, at: ":").map(Self.trimmed) }
  }

  /// Returns the key paths of a list without words.
  func paths() throws(ToolFailure) -> [KVKeyPath] {
    var paths: [KVKeyPath] = []
    for parts in items {
      if parts.count > 1 {
        throw failure("\"\(parts[1].text)\" is not expected behind \"\(parts[0].text)\".", at: parts[1].offset)
      }
      paths.append(try path(parts[0]))
    }
    return paths
  }

  /// Returns the only key path of a list.
  func path() throws(ToolFailure) -> KVKeyPath {
    let paths = try paths()
    if paths.count == 1 { return paths[0] }
    throw failure("only one key path is expected.", at: items[1][0].offset)
  }

  /// Returns the descriptors of a list whose key paths have a sign before them, or words behind them.
  func descriptors() throws(ToolFailure) -> [KVSortDescriptor] {
    var descriptors: [KVSortDescriptor] = []
    for parts in items { descriptors.append(try descriptor(parts)) }
    return descriptors
  }

  private func descriptor(_ parts: [Part]) throws(ToolFailure) -> KVSortDescriptor {
    var part = parts[0]
    var isAscending: Bool?
    if let sign = part.text.first, sign == "-" || sign == "+" {
      isAscending = sign == "+"
      part = Self.trimmed(Part(text: String(part.text.dropFirst()), offset: part.offset + 1))
    }
    var descriptor = KVSortDescriptor(try path(part))
    for word in parts.dropFirst() {
      switch word.text {
      case "ascending", "descending":
        if isAscending != nil { throw failure("the direction of \"\(part.text)\" is given twice.", at: word.offset) }
        isAscending = word.text == "ascending"
      case "nullsFirst": descriptor.nils = .first
      case "nullsLast": descriptor.nils = .last
      case "natural": descriptor.comparison = .natural
      case "caseInsensitive": descriptor.comparison = .caseInsensitive
      case "localized": descriptor.comparison = .localized()
      default:
        let hint = Nearest.hint(for: word.text, among: Self.words)
        throw failure(
          "unknown word \"\(word.text)\" behind \"\(part.text)\".\(hint) The words: \(Self.words.joined(separator: ", ")).",
          at: word.offset)
      }
    }
    descriptor.ascending = isAscending ?? true
    return descriptor
  }

  private static let words = [
    "ascending", "descending", "natural", "caseInsensitive", "localized", "nullsFirst", "nullsLast",
  ]

  private func path(_ part: Part) throws(ToolFailure) -> KVKeyPath {
    do throws(KVError) { return try KVKeyPath(part.text) } catch {
      throw failure(error.message, at: part.offset + (error.offset ?? 0))
    }
  }

  private func failure(_ sentence: String, at offset: Int) -> ToolFailure {
    ToolFailure("--\(option): \(sentence)", at: offset, of: text)
  }

  // MARK: Splitting

  /// Splits a text at a separator that is not in brackets.
  private static func split(_ part: Part, at separator: Character) -> [Part] {
    var parts: [Part] = []
    var (current, start) = ("", part.offset)
    var (isInBrackets, isQuoted, isEscaped) = (false, false, false)
    for (index, character) in part.text.enumerated() {
      if character == separator, !isInBrackets {
        parts.append(Part(text: current, offset: start))
        (current, start) = ("", part.offset + index + 1)
        continue
      }
      current.append(character)
      if isQuoted {
        if character == "\"", !isEscaped { isQuoted = false }
        isEscaped = character == "\\" && !isEscaped
      } else if isInBrackets {
        isQuoted = character == "\""
        if character == "]" { isInBrackets = false }
      } else {
        isInBrackets = character == "["
      }
    }
    return parts + [Part(text: current, offset: start)]
  }

  /// Returns a part without the blanks around it.
  private static func trimmed(_ part: Part) -> Part {
    let start = part.text.prefix { $0 == " " }.count
    let text = part.text.dropFirst(start).reversed().drop { $0 == " " }.reversed()
    return Part(text: String(text), offset: part.offset + start)
  }
}
