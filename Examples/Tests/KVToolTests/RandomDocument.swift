import KVBinding
import KVDocuments

/// Makes documents, and documents that are a little different.
struct RandomDocument {
  var random: SeededGenerator

  private static let keys = ["a", "b", "self", "count", "odd.key", "x y", "[0]", "@sum", "é"]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func object(depth: Int = 0) -> [String: Any] {
    var result: [String: Any] = [:]
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      result[Self.keys.randomElement(using: &random) ?? "a"] = value(depth: depth + 1)
    }
    return result
  }

  private mutating func value(depth: Int) -> Any {
    switch Int.random(in: 0..<(depth < 5 ? 12 : 7), using: &random) {
    case 0: KVDocument.Null()
    case 1: Bool.random(using: &random)
    case 2, 3: Int.random(in: 0...3, using: &random)
    case 4: [0.5, -0.0, 1e300].randomElement(using: &random) ?? 0.5
    case 5, 6: ["", "one", "two", "a: b"].randomElement(using: &random) ?? ""
    case 7, 8, 9: array(depth: depth)
    default: object(depth: depth)
    }
  }

  private mutating func array(depth: Int) -> [Any] {
    let isOfObjects = Bool.random(using: &random)
    return (0..<Int.random(in: 0...5, using: &random)).map { _ in
      isOfObjects ? object(depth: depth + 1) : value(depth: depth + 1)
    }
  }

  /// Changes some of what is in a value.
  mutating func changed(_ value: Any, depth: Int = 0) -> Any {
    switch value {
    case let dictionary as [String: Any]: changed(dictionary, depth: depth)
    case let array as [Any]: changed(array, depth: depth)
    default: Int.random(in: 0..<4, using: &random) == 0 ? self.value(depth: depth) : value
    }
  }

  mutating func changed(_ dictionary: [String: Any], depth: Int = 0) -> [String: Any] {
    var result = dictionary
    for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: result[key] = nil
      case 1: result[key] = self.value(depth: depth + 1)
      case 2...5: result[key] = changed(value, depth: depth + 1)
      default: break
      }
    }
    if Bool.random(using: &random) { result.merge(object(depth: depth)) { old, _ in old } }
    return result
  }

  private mutating func changed(_ array: [Any], depth: Int) -> [Any] {
    var result = array
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let index = Int.random(in: 0...result.count, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: result.insert(value(depth: depth + 1), at: index)
      case 1 where index < result.count: result.remove(at: index)
      case 2 where index < result.count: result[index] = changed(result[index], depth: depth + 1)
      default: result.shuffle(using: &random)
      }
    }
    return result
  }
}
