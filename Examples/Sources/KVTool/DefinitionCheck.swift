import KVBinding

/// What is wrong with the definitions of a file, and with a document that stands for their owner.
struct DefinitionCheck {
  /// What is wrong, in the order of the file.
  private(set) var faults: [String]
  /// What may be wrong.
  private(set) var notes: [String] = []

  /// Checks the definitions of a file.
  ///
  /// - Parameters:
  ///   - file: What was read of the file, with the faults that were found.
  ///   - document: The document that stands for the owner; nil if there is none, nil in it if it is null.
  init(_ file: KVBindingDocument, against document: Any??) {
    let isJSON = (try? file.value(forKey: "format", as: KVDocument.Format.self)) == .json
    var located = file.faultsInFile.map { (index: $0.index ?? -1, text: $0.description) }
    for (index, definition) in file.definitions.enumerated() {
      let location = "binding \(index + 1)\(definition.key.isEmpty ? "" : " \"\(definition.key)\"")"
      for fault in definition.faults {
        if fault.code == .notReversible { located.append((index, "\(location): \(fault.message)")) }
        if fault.code == .unknownTransformer {
          let hint = fault.suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
          notes.append("\(location): the library has no transformer \"\(definition.transformerName)\".\(hint)")
        }
      }
      guard let document, let value = try? definition.definition() else { continue }
      for line in Self.lines(value, in: document, isJSON: isJSON) { located.append((index, "\(location): \(line)")) }
    }
    faults = located.enumerated()
      .sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }
      .map(\.element.text)
  }

  /// Says which paths of a definition lead to nothing in a document.
  private static func lines(_ definition: KVBindingDefinition, in document: Any?, isJSON: Bool) -> [String] {
    let ends = [
      ("pathToSource", definition.pathToSource, "sourceKeyPath", definition.sourceKeyPath),
      ("pathToTarget", definition.pathToTarget, "targetKeyPath", definition.targetKeyPath),
    ].map { (isJSON ? $0 : capitalized($0), $1, isJSON ? $2 : capitalized($2), $3) }
    var lines: [String] = []
    for (objectEntry, objectPath, valueEntry, valuePath) in ends {
      do throws(ToolFailure) {
        var object = document
        if let objectPath { object = try read(objectPath, in: document, objectEntry) }
        guard object is [String: Any] else {
          let location = objectPath.map { "\"\(objectEntry)\": \"\($0)\"" } ?? "the document"
          throw ToolFailure("\(location) is \(ValueKind(object).article), not an object.")
        }
        _ = try read(valuePath, in: object, valueEntry)
      } catch {
        lines.append(error.line)
      }
    }
    return lines
  }

  /// The name of an entry in property lists.
  private static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  private static func read(_ path: KVKeyPath, in root: Any?, _ entry: String) throws(ToolFailure) -> Any? {
    do throws(ToolFailure) { return try DocumentPath(path).value(in: root) } catch {
      throw ToolFailure("\"\(entry)\": \(error.line)")
    }
  }
}
