import Foundation
import KVBinding
import KVDocuments
import KVInspector

extension Studio {
  /// Makes the programs of `kv studio`.
  ///
  /// - Parameters:
  ///   - directory: The directory below which the page may open files.
  ///   - files: Binding definitions, and documents for the inspector, of which the first with a list of objects is
  ///     shown as a table, and the first one as an outline: paths from the directory.
  ///   - allowsEditing: Whether the inspector, the table and the outline may change the documents in memory.
  /// - Throws: A ``StudioFailure`` with a sentence for each fault of a file.
  public convenience init(directory: URL, files: [String] = [], allowsEditing: Bool = false) throws(StudioFailure) {
    var definitions: [String] = []
    var documents: [KVRecord] = []
    var table: TableModel?
    var outline: OutlinePart?
    let places = DefinitionFiles(below: directory)
    for file in files {
      do {
        let root = try KVDocument(data: Data(contentsOf: places.url(file, atMost: 64 << 20))).root
        if let members = root as? [String: Any], members["bindings"] is [Any] || members["ILBindings"] is [Any] {
          _ = try places.definitions(file)
          definitions.append(file)
          continue
        }
        guard let members = root as? [String: Any] ?? (root as? [Any]).map({ ["records": $0] }) else {
          throw Refusal(422, "it has no object or list at its top.")
        }
        let record = try KVRecord(members)
        documents.append(record)
        KVInspector.register(record, named: file, allowsEditing: allowsEditing)
        if outline == nil { outline = OutlinePart { try OutlineModel(root, named: file, isEditable: allowsEditing) } }
        if table == nil { table = try TableModel(record, named: file, allowsEditing: allowsEditing) }
      } catch let refusal as Refusal {
        throw StudioFailure(["\(file): \(refusal.sentence)"] + refusal.details.map { "\(file): \($0)" })
      } catch {
        throw StudioFailure("\(file): \((error as? KVError)?.message ?? error.localizedDescription)")
      }
    }
    do {
      let offered = DefinitionFiles(below: directory, definitions)
      let picker = try PickerPart(offered)
      let people = PeoplePart()
      KVInspector.register(picker.model, named: "Colour picker", allowsEditing: true)
      KVInspector.register(people.model, named: "People", allowsEditing: true)
      self.init(
        [
          picker, EditorPart(picker, offered), people, TablePart(table), outline ?? OutlinePart(),
          InspectorPart(documents),
        ])
    } catch let error as KVError {
      throw StudioFailure(error.message)
    } catch {
      throw StudioFailure("\(error.localizedDescription)")
    }
  }
}
