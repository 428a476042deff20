import Foundation
import KVCore

extension Error {
  /// Foundation's description of an error, as a part of a sentence, with the location if Foundation has one for
  /// debugging.
  package var sentence: String {
    let text = (self as NSError).userInfo["NSDebugDescription"] as? String ?? localizedDescription
    return String(text.last == "." ? text.dropLast() : text[...])
  }
}
