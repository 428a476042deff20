import Foundation
import KVBinding
import KVDefinitions
import KVDocuments

/// What is wrong with the definitions of a file, and with a document that stands for their owner.
///
/// It ends after a hundred faults, and makes no model of the definitions, as an editor does: that would take 20 KB each.
struct DefinitionCheck {
  /// How many faults, and how many notes, are told.
  static let limit = 100

  /// What is wrong, in the order of the file; of more than a hundred faults the first ones, and a line that says so.
  private(set) var faults: [String] = []
  /// What may be wrong.
  private(set) var notes: [String] = []
  /// How many definitions were read without a fault.
  let count: Int

  /// Checks the definitions of a file.
  ///
  /// - Parameters:
  ///   - data: The file.
  ///   - document: The document that stands for the owner; nil if there is none, nil in it if it is null.
  init(_ data: Data, against document: Any??) {
    var located: [(index: Int, text: String)] = []
    let definitions: [(index: Int, definition: KVBindingDefinition)]
    do throws(KVBindingFaults) {
      definitions = try KVBindingDefinitions(data: data).enumerated().map { ($0, $1) }
    } catch {
      guard error.faults.count <= Self.limit else {
        (faults, count) = (error.faults.map(\.description), 0)
        return
      }
      located = error.faults.map { ($0.index ?? -1, $0.description) }
      definitions = Self.definitions(data, without: error.faults)
    }
    count = definitions.count
    // The names of entries in messages are those of the format.
    let isJSON = document == nil || (try? KVDocument(data: data))?.format == .json
    for (index, definition) in definitions where located.count <= Self.limit {
      let location = "binding \(index + 1)\(definition.key.map { " \"\($0)\"" } ?? "")"
      for fault in KVEditableBindingDefinition(definition).faults {
        if fault.code == .notReversible { located.append((index, "\(location): \(fault.message)")) }
        if fault.code == .unknownTransformer { note(definition.transformerName ?? "", fault.suggestion, location) }
      }
      guard let document else { continue }
      for line in Self.lines(definition, in: document, isJSON: isJSON) {
        located.append((index, "\(location): \(line)"))
      }
    }
    faults = located.enumerated()
      .sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }
      .prefix(Self.limit).map(\.element.text)
    if located.count > Self.limit {
      faults.append("there are more faults: these are the first \(Self.limit). Correct them, and check the file again.")
    }
  }

  private mutating func note(_ transformer: String, _ suggestion: String?, _ location: String) {
    guard notes.count <= Self.limit else { return }
    let hint = suggestion.map { " Did you mean \"\($0)\"?" } ?? ""
    notes.append(
      notes.count == Self.limit
        ? "the library lacks more transformers: these are the first \(Self.limit) of the bindings that name them."
        : "\(location): the library has no transformer \"\(transformer)\".\(hint)")
  }

  /// Returns the definitions of a file that have none of its faults.
  ///
  /// A document in which a name occurs twice is read by no other reader: there are none of it.
  private static func definitions(
    _ data: Data, without faults: [KVBindingFault]
  ) -> [(index: Int, definition: KVBindingDefinition)] {
    guard !faults.contains(where: { $0.code == .unsupportedVersion }), let document = try? KVDocument(data: data),
      let members = document.root as? [String: Any]
    else { return [] }
    let name = document.format == .json ? "bindings" : "ILBindings"
    guard let elements = members[name] as? [Any?] else { return [] }
    let faulty = Set(faults.compactMap(\.index))
    let indexes = elements.indices.filter { !faulty.contains($0) }
    var others: [String: Any] = [name: indexes.map { elements[$0] as Any }]
    if document.format == .json { others["version"] = 1 }
    guard let data = try? KVDocument(others, format: document.format).data(),
      let definitions = try? KVBindingDefinitions(data: data)
    else { return [] }
    return zip(indexes, definitions).map { ($0, $1) }
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
