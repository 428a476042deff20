/// A request that is not carried out: the status, and the sentence that says why and what to do.
struct Refusal: Error, Equatable {
  let status: Int
  let sentence: String
  /// Further lines, such as one for each fault of a file.
  var details: [String] = []
  /// What the page needs to offer a choice, such as the version of a file that is in the way.
  var members: [String: String] = [:]
  /// Whether the request had a wrong token: its answer waits (``WrongTokens``).
  private(set) var isGuess = false

  init(_ status: Int, _ sentence: String, details: [String] = [], members: [String: String] = [:]) {
    self.status = status
    self.sentence = sentence
    self.details = details
    self.members = members
  }

  /// The request has no token, or a wrong one, which may be a guess.
  static func wrongToken(isGuess: Bool) -> Refusal {
    var refusal = Refusal(
      403, "The token is missing, or is not that of this run. Open the address that the server has printed.")
    refusal.isGuess = isGuess
    return refusal
  }

  /// The window of a request is not open, so that the page has to begin anew.
  static func closedWindow(_ name: String) -> Refusal {
    Refusal(
      410, "The window \"\(name.prefix(40))\" is not open any more. Load the page again.", members: ["closed": "window"]
    )
  }

  /// Throws a refusal if another window has changed what the user of this one was looking at.
  ///
  /// - Parameters:
  ///   - base: What the field showed when the user began to type; whatever is no text is not compared.
  ///   - present: What it is now.
  ///   - new: What the user wants.
  static func check(base: Any?, present: String, new: String) throws(Refusal) {
    guard let base = base as? String, base != present, new != present else { return }
    throw Refusal(
      409,
      "It was changed to \"\(present.prefix(200))\" meanwhile. Return writes yours nevertheless, Escape takes the other."
    )
  }
}
