import KVBinding
import Testing

/// A mistake with observations, bindings, controllers or undo, as `Docs/Troubleshooting.md` lists it.
struct BindingMistake: Sendable {
  let title: String
  let code: String
  let advice: String
  /// Makes the mistake, which throws the error that the guide quotes; nil if nothing is reported.
  let make: (@Sendable () throws -> Void)?
  /// Does what the guide says; throws, or fails an expectation, if that does not cure.
  let cure: @Sendable () throws -> Void

  init(
    _ title: String, _ code: String, _ advice: String, make: (@Sendable () throws -> Void)?,
    cure: @escaping @Sendable () throws -> Void
  ) {
    self.title = title
    self.code = code
    self.advice = advice
    self.make = make
    self.cure = cure
  }

  /// The entry of the guide.
  func section() throws -> String {
    var text = "\n### \(title)\n\n```swift\n\(code)\n```\n\n"
    guard let make else { return text + "\(advice)\n" }
    do { try make() } catch let error as KVError {
      // Other tests register transformers of their own.
      let sentence = "\(error)".replacing(#/Known transformers: .*/#, with: "Known transformers: …")
      text += "```\n\(sentence)\n```\n\n\(advice)\n"
      return text
    }
    throw KVError(.custom, "\"\(title)\" is no mistake any more.")
  }
}
