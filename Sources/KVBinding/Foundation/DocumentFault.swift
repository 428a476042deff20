/// Why a document cannot be read or written, and where.
///
/// The components of the path are gathered on the way up, so that a document without a fault costs nothing.
struct DocumentFault: Error {
  let code: KVError.Code
  /// What is wrong, as a part of a sentence.
  let reason: String
  /// The line of a JSON document that is read, counted from one.
  let line: Int?
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

  static func tooDeep() -> DocumentFault {
    DocumentFault("arrays and dictionaries are nested more than \(KVJSON.maximumDepth) deep", code: .limitExceeded)
  }

  static func foreign(_ value: Any) -> DocumentFault {
    DocumentFault("a value of type \(type(of: value)) is none that it has; give a record or a dictionary of it")
  }

  static func containsItself() -> DocumentFault {
    DocumentFault("the record contains itself; take it out, or write the parts")
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
    let place = path.map { "at \(Self.line($0)), " } ?? ""
    return KVError(
      code, "cannot be written as \(format): \(place)\(reason).", keyPath: path?.description,
      component: components.first?.description, rootType: root.map { "\(type(of: $0))" })
  }

  /// The error of a JSON document that cannot be read.
  var readingError: KVError { KVError(code, readingMessage(namesLine: true), underlying: self) }

  /// Returns the sentence of a JSON document that cannot be read.
  ///
  /// - Parameter namesLine: Whether it names the line; what is reported beside a line need not.
  func readingMessage(namesLine: Bool) -> String {
    // A document that is nested too deeply has a path that is as long.
    let path = code == .limitExceeded ? nil : path.map { Self.line($0) }
    guard let column else { return "no JSON: \(reason)." }
    let places = [path, namesLine ? line.map { "line \($0)" } : nil, "column \(column)"]
    return "no JSON: at \(places.compactMap { $0 }.joined(separator: ", ")), \(reason)."
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
