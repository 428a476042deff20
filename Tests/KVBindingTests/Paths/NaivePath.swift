import KVBinding

/// What key paths mean, written down as simply as possible (KVC.5, KVC.10, OP.2).
enum NaivePath {
  typealias Components = ArraySlice<KVKeyPath.Component>

  struct Refusal: Error {}

  /// Returns the value of a path.
  static func read(_ value: Any?, _ path: Components) throws(Refusal) -> Any? {
    guard let value, let first = path.first else { return value }
    let rest = path.dropFirst()
    switch first {
    case .operator("count", nil):
      guard let array = value as? [Any?], rest.isEmpty else { throw Refusal() }
      return array.count
    case .operator("firstObject", nil):
      guard let array = value as? [Any?] else { throw Refusal() }
      return try read(array.first ?? nil, rest)
    case .operator(let name, _):
      guard let array = value as? [Any?], !rest.isEmpty else { throw Refusal() }
      let values = try all(array, rest)
      if name == "unionOfObjects" {
        if values.contains(where: { $0 == nil }) { throw Refusal() }
        return values
      }
      guard let numbers = values as? [Int] else { throw Refusal() }
      return numbers.reduce(0, +)
    case .index(let index):
      guard let array = value as? [Any?], array.indices.contains(index) else { throw Refusal() }
      return try read(array[index], rest)
    case .key(let key), .entry(let key):
      if let array = value as? [Any?] {
        // A key with its subscripts is read from each element.
        let subscripts = rest.prefix { if case .index = $0 { true } else if case .entry = $0 { true } else { false } }
        return try read(try all(array, path.prefix(1 + subscripts.count)), rest.dropFirst(subscripts.count))
      }
      return try read(try member(key, of: value), rest)
    }
  }

  private static func all(_ array: [Any?], _ path: Components) throws(Refusal) -> [Any?] {
    var values: [Any?] = []
    for element in array { values.append(try read(element, path)) }
    return values
  }

  private static func member(_ key: String, of value: Any) throws(Refusal) -> Any? {
    if let dictionary = value as? [String: Int] { return dictionary[key] }
    if let dictionary = value as? [String: [Int]] { return dictionary[key] }
    guard let plot = value as? Plot else { throw Refusal() }
    switch key {
    case "number": return plot.number
    case "list": return plot.list
    case "grid": return plot.grid
    case "map": return plot.map
    case "lists": return plot.lists
    case "plots": return plot.plots
    default: throw Refusal()
    }
  }

  /// Sets the end of a path by one call for each object that it leads to.
  static func writeOneByOne(_ number: Int, _ value: Any, _ path: Components) throws {
    if let array = value as? [Plot] {
      guard case .index(let index)? = path.first else {
        for plot in array { try writeOneByOne(number, plot, path) }
        return
      }
      return try writeOneByOne(number, array[index], path.dropFirst())
    }
    guard let plot = value as? Plot else { throw Refusal() }
    if path.first == .key("plots") { return try writeOneByOne(number, plot.plots, path.dropFirst()) }
    try plot.setValue(number, forKeyPath: KVKeyPath(components: Array(path)))
  }

  /// Returns whether a value consists of integers, at any depth.
  static func isOfNumbers(_ value: Any?) -> Bool {
    if let array = value as? [Any?] { return array.allSatisfy(isOfNumbers) }
    return value is Int
  }

  /// Returns whether all numbers in a value are one number.
  static func consists(_ value: Any?, of number: Int) -> Bool {
    if let array = value as? [Any?] { return array.allSatisfy { consists($0, of: number) } }
    return value as? Int == number
  }
}
