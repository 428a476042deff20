/// A request that is not carried out: the status, and the sentence that says why and what to do.
struct Refusal: Error, Equatable {
  let status: Int
  let sentence: String
  /// Further lines, such as one for each fault of a file.
  var details: [String] = []

  init(_ status: Int, _ sentence: String, details: [String] = []) {
    self.status = status
    self.sentence = sentence
    self.details = details
  }
}
