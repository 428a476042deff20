import KVSyntax

/// A message of the compiler about a piece of the user's source.
struct Diagnostic: Encodable, Equatable {
  enum Severity: String, Encodable {
    case error, warning
  }

  struct Position: Encodable, Equatable {
    let fileName: String
    /// The place in the file, in UTF-8.
    let offset: Int
  }

  struct Range: Encodable, Equatable {
    let fileName: String
    let startOffset: Int
    let endOffset: Int
  }

  struct Note: Encodable, Equatable {
    let position: Position
    let message: String
  }

  /// An edit that the compiler offers.
  struct FixIt: Encodable, Equatable {
    struct Change: Encodable, Equatable {
      let range: Range
      let newText: String
    }

    let message: String
    let changes: [Change]
  }

  let message: String
  let severity: Severity
  let position: Position
  let highlights: [Range]
  let notes: [Note]
  let fixIts: [FixIt]
}

extension HostMessage.Syntax {
  /// Returns an error about the piece as a whole, without the space and the comments around it.
  func error(_ message: String) -> Diagnostic {
    let tokens = TokenList(source).tokens
    let start = tokens.first?.range.lowerBound ?? 0
    return error(at: start..<(tokens.last?.range.upperBound ?? start), message)
  }

  /// Returns an error at a place in the piece.
  ///
  /// - Parameters:
  ///   - range: The place, in UTF-8 from the start of the piece.
  ///   - message: A sentence that says what is wrong and what to write instead.
  ///   - fixIts: Edits that the compiler offers.
  func error(at range: Range<Int>, _ message: String, fixIts: [Diagnostic.FixIt] = []) -> Diagnostic {
    Diagnostic(
      message: message, severity: .error,
      position: .init(fileName: location.fileName, offset: location.offset + range.lowerBound),
      highlights: [self.range(range)], notes: [], fixIts: fixIts)
  }

  /// Returns an edit that replaces a place in the piece.
  func fix(_ message: String, replacing range: Range<Int>, with text: String) -> Diagnostic.FixIt {
    .init(message: message, changes: [.init(range: self.range(range), newText: text)])
  }

  private func range(_ range: Range<Int>) -> Diagnostic.Range {
    .init(
      fileName: location.fileName, startOffset: location.offset + range.lowerBound,
      endOffset: location.offset + range.upperBound)
  }
}
