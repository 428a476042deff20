import KVCore
import KVFoundation

/// Why a document cannot be read or written, and where.
///
/// The components of the path are gathered on the way up, so that a document without a fault costs nothing.
package struct DocumentFault: Error, LinkedWithFoundation {
  let code: KVError.Code
  /// The fault, as a part of a sentence.
  let reason: String
  /// The line of a JSON document that is read, counted from one.
  package let line: Int?
  /// The column, counted from one in characters (Unicode scalars); nil for what is wrong with the document as a whole.
  let column: Int?
  /// The components of the path to the value, the last one first.
  private var components: [KVKeyPath.Component] = []

  init(_ reason: String, code: KVError.Code = .unsupported, line: Int? = nil, column: Int? = nil) {
    self.reason = reason
    self.code = code
    self.line = line
    self.column = column
  }

  static func tooDeep(_ fault: NestingFault = .limit(Limits.nesting)) -> DocumentFault {
    DocumentFault("arrays and dictionaries are \(fault.nested)\(fault.cure())", code: .limitExceeded)
  }

  /// Throws if a container cannot be entered.
  ///
  /// - Parameter depth: The number of containers around.
  static func checkNesting(_ depth: Int) throws(DocumentFault) {
    if let fault = NestingFault.entering(depth) { throw tooDeep(fault) }
  }

  static func keyedArchive(_ type: String) -> DocumentFault {
    DocumentFault(
      "it holds a value of type \(type), as keyed archives do; read it with NSKeyedUnarchiver, and write plain values")
  }

  /// The fault of a dictionary in a property list that has a key twice; nil if the key is not known.
  static func repeatedKey(_ name: String?) -> DocumentFault {
    guard let name else {
      return DocumentFault(
        "a dictionary has a key twice, or a <key> stands where a value belongs", code: .invalidDocument)
    }
    let short = name.count > 60 ? "\(name.prefix(60))…" : name
    return DocumentFault(
      "a dictionary has the key \(short.debugDescription) twice; take one of the two out", code: .invalidDocument)
  }

  /// Returns the fault as it looks from the container of the value.
  func under(_ component: KVKeyPath.Component) -> DocumentFault {
    var copy = self
    copy.components.append(component)
    return copy
  }

  private var path: KVKeyPath? { try? KVKeyPath(components: components.reversed()) }

  // MARK: Errors

  /// Returns the error of a value that cannot be written.
  func writingError(of root: Any?, format: String) -> KVError {
    let path = path
    let location = path.map { "at \(Self.line($0)), " } ?? ""
    return KVError(
      code, "cannot be written as \(format): \(location)\(reason).", keyPath: path?.description,
      component: components.first?.description, rootType: root.map { "\(type(of: $0))" })
  }

  /// Returns the error of a document that cannot be read.
  ///
  /// - Parameter format: The format as a noun: `a property list`.
  package func readingError(of format: String) -> KVError {
    let isMistake = code == .invalidDocument || column != nil
    let what = isMistake ? "not \(format)" : "the \(format.trimmingPrefix("a ")) cannot be read"
    return KVError(code, "\(what): \(sentence(namesLine: true)).", underlying: column == nil ? nil : self)
  }

  /// Returns the place and the reason.
  ///
  /// - Parameter namesLine: Whether the place names the line; a fault that is reported beside its line need not.
  package func sentence(namesLine: Bool) -> String {
    guard let column else { return reason }
    // A document that is nested too deeply has a path that is as long.
    let path = code == .limitExceeded ? nil : path.map { Self.line($0) }
    let locations = [path, namesLine ? line.map { "line \($0)" } : nil, "column \(column)"]
    return "at \(locations.compactMap { $0 }.joined(separator: ", ")), \(reason)"
  }

  /// Returns a path on one line, cut where it is long.
  private static func line(_ path: KVKeyPath) -> String {
    let text = path.description
    let short = text.count > 200 ? "\(text.prefix(200))…" : text
    return short.unicodeScalars.map { scalar in
      scalar.properties.generalCategory == .control ? scalar.escaped(asASCII: true) : String(scalar)
    }.joined()
  }
}

extension KVKeyPath.Component {
  /// The component that leads to the entry of a dictionary: a key where its name can be one.
  static func naming(_ name: String) -> KVKeyPath.Component {
    (try? KVKeyPath(components: [.key(name)])) == nil ? .entry(name) : .key(name)
  }
}
