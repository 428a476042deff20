import Foundation
import KVCore

extension Error {
  /// What Foundation says about an error, as a part of a sentence: with the place, where it keeps one for debugging.
  package var sentence: String {
    let text = (self as NSError).userInfo["NSDebugDescription"] as? String ?? localizedDescription
    return String(text.last == "." ? text.dropLast() : text[...])
  }
}
