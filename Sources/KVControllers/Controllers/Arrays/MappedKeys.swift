import KVBinding
import KVCore

/// The observed paths through the arrays of a controller, such as `arrangedObjects.name` (CTR.12).
final class MappedKeys<Element> {
  private let model: ArrayModel<Element>
  private var references: [MappedKey.Reference] = []
  var all: [MappedKey] { references.compactMap(\.key) }

  init(_ model: ArrayModel<Element>) { self.model = model }

  /// Returns the key of an array that paths may lead through; nil for other names.
  static func collection(_ name: String) -> InternedKey? {
    switch name {
    case "arrangedObjects": KVController.Keys.arrangedObjects
    case "selectedObjects": KVController.Keys.selectedObjects
    case "content", "contentArray", "contentSet", "contentObject": KVController.Keys.content
    default: nil
    }
  }

  /// Throws if an element does not have a key of a path.
  static func check(_ path: KVKeyPath, of elements: [Element]) throws(KVError) {
    var types: Set<ObjectIdentifier> = []
    for element in elements {
      guard let value = unwrappingOptionals(element), types.insert(ObjectIdentifier(type(of: value))).inserted else {
        continue
      }
      do throws(KVError) { try ResolvedComponent.check(path, of: value) } catch {
        if error.code == .undefinedKey { throw error }
      }
    }
  }

  /// Returns whether a path through an array is observed.
  func lead(through collection: InternedKey) -> Bool {
    !references.isEmpty && references.contains { $0.key?.collection == collection }
  }

  func add(_ mapped: MappedKey) {
    references = references.filter { $0.key != nil } + [MappedKey.Reference(key: mapped)]
  }

  /// Lets the keys be notified of elements by the observations of the arrangement, or by their own.
  ///
  /// - Parameter paths: The paths that the arrangement observes.
  func share(_ paths: [KVKeyPath]) {
    for mapped in all {
      let isShared = paths.contains(mapped.path)
      if isShared == mapped.isShared { continue }
      mapped.isShared = isShared
      // An update that has begun before notifies of a setting, since the array may have changed meanwhile.
      mapped.version = model.state.version
      mapped.observe(model.presentedElements(of: mapped.collection))
    }
  }

  /// Lets the keys join an update of their arrays.
  ///
  /// - Parameters:
  ///   - changed: The keys of which an element has changed meanwhile, so that they notify of a setting.
  ///   - version: The version of the state before the update; keys that are observed since later notify of a setting as well.
  func join(_ update: inout KeyUpdate, changed: Set<InternedKey> = [], since version: Int? = nil) {
    if references.isEmpty { return }
    references.removeAll { $0.key == nil }
    if references.isEmpty { model.arrangement.findsObjects = false }
    let first = update.applyFirst
    let last = update.apply
    var (firstEdits, lastEdits): ([MappedKey.Edit], [MappedKey.Edit]) = ([], [])
    for mapped in all {
      let elements = { [model] in model.presentedElements(of: mapped.collection) as [Any] }
      let firsts = update.first.filter { $0.key == mapped.collection }
      let changes = update.changes.filter { $0.key == mapped.collection }
      let isLater = version.map { mapped.version > $0 } ?? false
      if changed.contains(mapped.key) || isLater && !(firsts + changes).isEmpty {
        let isNew = version.map { mapped.firstVersion > $0 } ?? false
        lastEdits.append(mapped.edit(for: KeyChange(mapped.collection), isNew: isNew, elements))
      } else if isLater {
        mapped.assign(elements())
      } else {
        firstEdits += firsts.map { mapped.edit(for: $0, elements) }
        lastEdits += changes.map { mapped.edit(for: $0, elements) }
      }
    }
    update.first += firstEdits.map(\.change)
    update.changes += lastEdits.map(\.change)
    update.applyFirst = {
      first()
      for edit in firstEdits { edit.apply() }
    }
    update.apply = {
      last()
      for edit in lastEdits { edit.apply() }
    }
  }
}

extension ArrayModel {
  /// Returns the elements of one of the arrays that observers see.
  func presentedElements(of collection: InternedKey) -> [Element] {
    collection == Keys.arrangedObjects
      ? presentedElements : collection == Keys.selectedObjects ? presentedSelectedElements : presentedContent
  }

  /// Returns the indexes of an object in one of the arrays, ascending.
  ///
  /// - Complexity: O(log *n*) for each.
  func indexes(of id: ObjectIdentifier, in collection: InternedKey) -> [Int] {
    let indexes = arrangement.contentIndexes(of: id)
    if collection == Keys.content { return indexes }
    let arranged = indexes.compactMap { arrangement.index(ofSource: $0) }.sorted()
    return collection == Keys.arrangedObjects ? arranged : arranged.compactMap { state.selection.position(of: $0) }
  }
}
