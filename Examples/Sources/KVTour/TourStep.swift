import KVBinding

/// One step of the tour.
public struct TourStep: Sendable {
  /// What the step shows, in a few words.
  public let title: String
  /// The declarations that the step is about, if any.
  public let declaration: String?
  /// The body of the function that the step runs.
  public let code: String
  /// The name of the source file that the step stands in.
  public let file: String
  /// The line of the file that the step stands at.
  public let line: Int
  private let run: @Sendable (Show) throws -> Void

  /// Makes a step of a function.
  ///
  /// - Parameters:
  ///   - title: What the step shows, in a few words.
  ///   - declaration: The source of a type that the step is about.
  ///   - code: The source of the body of `run`.
  ///   - run: The function.
  init(
    _ title: String, declaration: String? = nil, code: String, file: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (Show) throws -> Void
  ) {
    self.title = title
    self.declaration = declaration
    self.code = code
    self.file = file.split(separator: "/").last.map(String.init) ?? file
    self.line = line
    self.run = run
  }

  /// Runs the step; what it showed, a line each.
  public func results() -> [String] {
    let show = Show()
    do { try run(show) } catch { show.append("error: \(error)") }
    return show.lines
  }

  /// Runs the step; its title, its code, and what it showed.
  func text(number: Int) -> String {
    let source = [declaration, code].compactMap { $0 }.joined(separator: "\n\n")
    let shown = results().map { "→ \($0)" }
    return (["\(number). \(title)", "", Self.indented(source), ""] + shown + [""]).joined(separator: "\n")
  }

  /// Returns source as it is printed.
  static func indented(_ source: String) -> String {
    source.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "    \($0)" }
      .joined(separator: "\n")
  }
}
