import KVBinding
import KVCore

/// An edit of a to-many key through its view, with its expected result.
enum ElementEdit {
  case insert([Any], at: [Int])
  case remove(at: [Int])
  case replace(at: Int, with: Any)
  case add(Any)
  case subtract(Any)
  case set([Any])

  /// Makes the edit.
  func make(_ key: String, of object: any KeyValueCoding & AnyObject) throws(KVError) {
    switch self {
    case .insert(let elements, let indexes): try object.mutableArray(forKey: key).insert(elements, at: indexes)
    case .remove(let indexes): try object.mutableArray(forKey: key).remove(at: indexes)
    case .replace(let index, let element): try object.mutableArray(forKey: key).replace(at: index, with: element)
    case .add(let element): try object.mutableSet(forKey: key).add(element)
    case .subtract(let element): try object.mutableSet(forKey: key).remove(element)
    case .set(let elements): try object.mutableSet(forKey: key).set(elements)
    }
  }

  /// Returns the elements after the edit.
  func applied(to elements: [Any?]) -> [Any?] {
    var result = elements
    switch self {
    case .insert(let elements, let indexes):
      for (element, index) in zip(elements, indexes) { result.insert(element, at: index) }
    case .remove(let indexes): for index in indexes.reversed() { result.remove(at: index) }
    case .replace(let index, let element): result[index] = element
    case .add(let element): result.append(element)
    case .subtract(let element): result.removeAll { Similarity.areAlike($0, element) }
    case .set(let elements): result = elements
    }
    return result
  }

  /// The kind and the indexes of the expected record.
  var kind: KVChange.Kind {
    switch self {
    case .insert, .add: .insertion
    case .remove, .subtract: .removal
    case .replace, .set: .replacement
    }
  }

  var indexes: [Int]? {
    switch self {
    case .insert(_, let indexes), .remove(let indexes): indexes
    case .replace(let index, _): [index]
    case .add, .subtract, .set: nil
    }
  }

  /// Whether the edit is one call of one function, so that a key with manual notification notifies once.
  var isSimple: Bool {
    switch self {
    case .insert(_, let indexes), .remove(let indexes): indexes.count == 1
    case .add, .subtract: true
    case .replace, .set: false
    }
  }

  /// The description of the edit in messages.
  var text: String {
    let atIndexes = indexes.map { " at \($0.map(String.init).joined(separator: " and "))" } ?? ""
    return switch self {
    case .insert(let elements, _): "inserting \(shownList(elements))\(atIndexes)"
    case .remove: "removing\(atIndexes)"
    case .replace(_, let element): "replacing\(atIndexes) by \(brief(element))"
    case .add(let element): "adding \(brief(element))"
    case .subtract(let element): "removing \(brief(element))"
    case .set(let elements): "setting \(shownList(elements))"
    }
  }
}

/// Returns the description of elements in messages.
func shownList(_ elements: [Any?]) -> String { "[\(elements.map { brief($0) }.joined(separator: ", "))]" }
