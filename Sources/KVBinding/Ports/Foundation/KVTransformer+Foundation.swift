import Foundation
import KVCore

// The transformer to and from a type of Foundation.
extension KVTransformer {
  /// A `URL` from its text.
  ///
  /// Reversible. nil and the empty text become nil. A text that is no URL is an error, even if it would be one with
  /// percent signs added.
  public static let url = KVTransformer(
    "url",
    forward: { (text: String?) throws(KVError) -> URL? in
      guard let text, !text.isEmpty else { return nil }
      if let url = URL(string: text, encodingInvalidCharacters: false) { return url }
      throw KVError(.invalidValue, "the transformer \"url\" cannot take a value: \(describe(text)) is not a URL.")
    },
    reverse: { (url: URL?) -> String? in url?.absoluteString })
}
