import KVBinding

/// An object with arrays, arrays of arrays, dictionaries, and objects like itself.
final class Plot: KVObject {
  @KVProperty var number = 0
  @KVProperty var list: [Int] = []
  @KVProperty var grid: [[Int]] = []
  @KVProperty var map: [String: Int] = [:]
  @KVProperty var lists: [String: [Int]] = [:]
  @KVProperty var plots: [Plot] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Plot.self) { key in
      key("number", \.number)
      key("list", \.list)
      key("grid", \.grid)
      key("map", \.map)
      key("lists", \.lists)
      key("plots", \.plots)
    }
  }

  /// Makes an object whose arrays have some elements, and which has objects down to a depth.
  static func random(_ depth: Int, _ random: inout some RandomNumberGenerator) -> Plot {
    let plot = Plot()
    plot.fill(&random)
    if depth > 0 {
      plot.plots = (0..<Int.random(in: 1...3, using: &random)).map { _ in .random(depth - 1, &random) }
    }
    return plot
  }

  /// Sets everything but the objects.
  func fill(_ random: inout some RandomNumberGenerator) {
    func numbers(_ random: inout some RandomNumberGenerator) -> [Int] {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<10, using: &random) }
    }
    number = Int.random(in: 0..<10, using: &random)
    list = numbers(&random)
    grid = (0..<Int.random(in: 1...2, using: &random)).map { _ in numbers(&random) }
    map = ["a.b": Int.random(in: 0..<10, using: &random), "c": 1]
    lists = ["@id": numbers(&random), "c": numbers(&random)]
  }

  func copy() -> Plot {
    let copy = Plot()
    (copy.number, copy.list, copy.grid, copy.map, copy.lists) = (number, list, grid, map, lists)
    copy.plots = plots.map { $0.copy() }
    return copy
  }

  /// All that the object contains, as text.
  var contents: String {
    let maps = [map.sorted { $0.key < $1.key }.description, lists.sorted { $0.key < $1.key }.description]
    return "\(number) \(list) \(grid) \(maps) [\(plots.map(\.contents).joined(separator: ", "))]"
  }
}
