import KVBinding

/// A text with key paths: `Dear {{customer.name}}`, and sections that repeat for each element:
/// `{{#lines}}{{title}} {{/lines}}`.
struct Template {
  private enum Part {
    case text(String)
    case value(KVKeyPath)
    case section(KVKeyPath, [Part])
  }

  private let parts: [Part]

  /// Parses a template.
  ///
  /// - Throws: ``SyntaxError``; `KVError` if a key path is malformed.
  init(_ source: String) throws {
    var rest = source[...]
    parts = try Self.parse(&rest, in: nil)
  }

  private static func parse(_ rest: inout Substring, in section: String?) throws -> [Part] {
    var parts: [Part] = []
    while let (text, tag) = try nextTag(&rest) {
      if !text.isEmpty { parts.append(.text(String(text))) }
      if tag.hasPrefix("#") {
        let name = String(tag.dropFirst())
        parts.append(.section(try KVKeyPath(name), try parse(&rest, in: name)))
      } else if tag.hasPrefix("/") {
        guard String(tag.dropFirst()) == section else { throw SyntaxError("{{\(tag)}} ends no section") }
        return parts
      } else {
        parts.append(.value(try KVKeyPath(String(tag))))
      }
    }
    if let section { throw SyntaxError("the section {{#\(section)}} has no end") }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    return parts
  }

  /// Takes the text up to the next tag, and the tag; `nil` if there is none.
  private static func nextTag(_ rest: inout Substring) throws -> (Substring, Substring)? {
    guard let start = rest.firstRange(of: "{{") else { return nil }
    let text = rest[..<start.lowerBound]
    guard let end = rest[start.upperBound...].firstRange(of: "}}") else { throw SyntaxError("a {{ has no }}") }
    let tag = rest[start.upperBound..<end.lowerBound]
    rest = rest[end.upperBound...]
    return (text, tag)
  }

  /// Renders the text with the values of a model.
  ///
  /// - Throws: `KVError` if a path cannot be read.
  func text(of model: Any) throws(KVError) -> String { try Self.text(parts, model) }

  private static func text(_ parts: [Part], _ model: Any) throws(KVError) -> String {
    var text = ""
    for part in parts {
      switch part {
      case .text(let other): text += other
      case .value(let path): text += try KVC.value(of: model, forKeyPath: path).map { "\($0)" } ?? ""
      case .section(let path, let parts):
        for element in try KVC.value(of: model, forKeyPath: path, as: [Any].self) {
          text += try self.text(parts, element)
        }
      }
    }
    return text
  }

  /// Calls a function with each path of the model, and with each path of the elements of a section.
  func forEachPath(
    _ value: (KVKeyPath) throws -> Void, inSections element: (_ collection: KVKeyPath, _ path: KVKeyPath) throws -> Void
  ) rethrows {
    for part in parts {
      switch part {
      case .text: break
      case .value(let path): try value(path)
      case .section(let collection, let parts):
        try value(collection)
        for case .value(let path) in parts { try element(collection, path) }
      }
    }
  }
}

/// A fault of a template or rule.
struct SyntaxError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
