import Foundation
import KVBinding
import KVDocuments

/// One change of a document, as it is printed.
///
/// It is text from the start: the objects in a change live on, and may have changed by the time that it is printed.
struct WatchLine {
  /// The line, without its end.
  let text: String

  private init(_ sign: Character, _ path: KVKeyPath, _ values: String) {
    text = "\(sign) \(Self.text(path)): \(values)"
  }

  /// `+ path: new`.
  static func appeared(_ path: KVKeyPath, _ value: Any?) -> WatchLine { WatchLine("+", path, json(value)) }

  /// `- path: old`.
  static func disappeared(_ path: KVKeyPath, _ value: Any?) -> WatchLine { WatchLine("-", path, json(value)) }

  /// `~ path: old → new`.
  static func changed(_ path: KVKeyPath, old: Any?, new: Any?) -> WatchLine {
    WatchLine("~", path, "\(json(old)) → \(json(new))")
  }

  /// A path on one line.
  private static func text(_ path: KVKeyPath) -> String {
    path.description.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }

  private static func json(_ value: Any?) -> String {
    do throws(KVError) {
      let data = try KVDocument(value).data(datesAsText: true, dataAsText: true)
      return String(decoding: data, as: UTF8.self)
    } catch {
      // What JSON cannot hold: a property list may have a number that is none.
      return value.map { "\($0)" } ?? "null"
    }
  }
}

extension KVKeyPath.Component {
  /// The component of a member of a document: a plain key, or an entry where that would mean something else or could
  /// not be told from what is printed beside it.
  static func member(_ name: String) -> KVKeyPath.Component {
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "-"
    }
    return isPlain && !name.isEmpty && name != "self" ? .key(name) : .entry(name)
  }
}
