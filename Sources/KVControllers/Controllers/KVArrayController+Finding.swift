import KVBinding
import KVCore

extension KVArrayController {
  /// Returns the first free index of each object: of an identical one, or else of an equal one (CTR.26).
  func indexes(of objects: [Element]) -> [Int] {
    if objects.isEmpty { return [] }
    let arranged = arrangement.elements
    var result: [Int] = []
    var equal: [Element] = []
    // Identical objects first, in one pass.
    var wanted: [ObjectIdentifier: Int] = [:]
    for object in objects {
      if let id = ArrangedContent<Element>.identity(of: object) {
        wanted[id, default: 0] += 1
      } else {
        equal.append(object)
      }
    }
    if !wanted.isEmpty {
      for (index, object) in arranged.enumerated() {
        guard let id = ArrangedContent<Element>.identity(of: object), let count = wanted[id] else { continue }
        result.append(index)
        wanted[id] = count == 1 ? nil : count - 1
        if wanted.isEmpty { break }
      }
      equal += objects.filter { object in
        guard object is any Equatable, let id = ArrangedContent<Element>.identity(of: object),
          let count = wanted[id]
        else { return false }
        wanted[id] = count == 1 ? nil : count - 1
        return true
      }
    }
    return equal.isEmpty ? result : result + indexes(ofEqual: equal, in: arranged, except: Set(result))
  }

  private func indexes(ofEqual objects: [Element], in arranged: [Element], except taken: Set<Int>) -> [Int] {
    var result: [Int] = []
    var wanted: [AnyHashable: Int] = [:]
    var others: [Element] = []
    for object in objects {
      if let hashable = object as? AnyHashable { wanted[hashable, default: 0] += 1 } else { others.append(object) }
    }
    for (index, object) in arranged.enumerated() where !taken.contains(index) {
      if wanted.isEmpty && others.isEmpty { break }
      if let hashable = object as? AnyHashable, let count = wanted[hashable] {
        result.append(index)
        wanted[hashable] = count == 1 ? nil : count - 1
      } else if let position = others.firstIndex(where: { Equality.areEqual($0, object) }) {
        result.append(index)
        others.remove(at: position)
      }
    }
    return result
  }
}
