/// Why the studio cannot begin, in one or more sentences.
public struct StudioFailure: Error, Sendable {
  /// The sentences.
  public let sentences: [String]

  /// Creates a failure of one sentence.
  public init(_ sentence: String) { sentences = [sentence] }

  /// Creates a failure of some sentences.
  public init(_ sentences: [String]) { self.sentences = sentences }
}
