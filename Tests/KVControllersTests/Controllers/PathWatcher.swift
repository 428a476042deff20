import KVControllers

/// Observes paths through the elements of an array controller, and keeps a copy of each value by what they notify of
/// (CTR.12, CTR.35, CTR.37).
///
/// The copy has to be what the oracle has after each step: a change that is not notified of, or with a wrong old value, kind
/// or index, is found.
final class PathWatcher<Element: RandomElement> {
  /// A path, and its value by the rules: of an array each element, of any other path one text.
  private struct Path {
    let text: String
    /// How often it may notify in one update.
    let limit: Int
    let value: (ArrayControllerOracle<Element>) -> [String]

    init(_ text: String, limit: Int = 1, _ value: @escaping (ArrayControllerOracle<Element>) -> [String]) {
      self.text = text
      self.limit = limit
      self.value = value
    }
  }

  private let paths = [
    Path("selection.rank") { [common($0.selectedTunes.map { "\($0.rank)" })] },
    Path("arrangedObjects.@sum.rank") { ["\($0.arranged.reduce(0) { $0 + $1.tune.rank })"] },
    // A removal, and then an insertion.
    Path("arrangedObjects.rank", limit: 2) { $0.arranged.map { "\($0.tune.rank)" } },
    Path("content.title") { $0.content.map(\.tune.title) },
    Path("selectedObjects.rank") { $0.selectedTunes.map { "\($0.rank)" } },
    Path("selection.title") { [common($0.selectedTunes.map(\.title))] },
    Path("arrangedObjects.@count") { ["\($0.arranged.count)"] },
    Path("selection.@count") { ["\($0.selectedTunes.count)"] },
    Path("content.@max.rank") { [$0.content.map(\.tune.rank).max().map { "\($0)" } ?? "nil"] },
  ]

  private let list: KVArrayController<Element>
  private var tokens: [KVObservation] = []
  private var copies: [[String]] = []
  private var counts: [Int] = []
  private var faults: [String] = []

  init(_ list: KVArrayController<Element>, _ oracle: ArrayControllerOracle<Element>) throws {
    self.list = list
    copies = paths.map { $0.value(oracle) }
    counts = paths.map { _ in 0 }
    for (index, path) in paths.enumerated() {
      tokens.append(try list.observe(path.text) { [unowned self] change in note(change, index) })
    }
  }

  /// Checks the notifications since the last call, and returns what is wrong.
  ///
  /// - Parameter repeated: What may notify several times.
  func check(_ oracle: ArrayControllerOracle<Element>, _ repeated: ControllerRun<Element>.Repeated) throws -> [String] {
    for (index, path) in paths.enumerated() {
      let value = path.value(oracle)
      let isLimited =
        switch repeated {
        case .none: true
        case .readingElements: !path.text.hasPrefix("selection.") && !path.text.contains("@")
        case .writing: path.text == "selection.rank"
        case .all: false
        }
      if isLimited, counts[index] > path.limit { faults.append("\(path.text) notified \(counts[index]) times") }
      if copies[index] != value { faults.append("\(path.text) notified of \(copies[index]), not of \(value)") }
      let present = Self.texts(try list.value(forKeyPath: KVKeyPath(path.text)))
      if present != value { faults.append("\(path.text) is \(present), not \(value)") }
      counts[index] = 0
    }
    defer { faults = [] }
    return faults
  }

  private func note(_ change: KVChange, _ index: Int) {
    counts[index] += 1
    let (old, new) = (Self.texts(change.old), Self.texts(change.new))
    let places = change.indexes ?? []
    var copy = copies[index]
    var isRight = places.allSatisfy { $0 >= 0 }
    switch change.kind {
    case .setting:
      isRight = old == copy
      copy = new
    case .insertion:
      isRight = isRight && places.count == new.count && !places.isEmpty
      for (place, text) in zip(places, new) where isRight {
        isRight = place <= copy.count
        if isRight { copy.insert(text, at: place) }
      }
    case .removal, .replacement:
      isRight = isRight && !places.isEmpty && places.allSatisfy(copy.indices.contains) && places.map { copy[$0] } == old
      guard isRight else { break }
      if change.kind == .removal {
        for place in places.reversed() { copy.remove(at: place) }
      } else {
        isRight = new.count == places.count
        for (place, text) in zip(places, new) { copy[place] = text }
      }
    }
    if !isRight { faults.append("\(paths[index].text) was \(copies[index]), and notified of \(change)") }
    copies[index] = copy
  }

  private static func texts(_ value: Any?) -> [String] {
    if let array = value as? [Any?] { return array.map { $0.map { "\($0)" } ?? "nil" } }
    return [value.map { "\($0)" } ?? "nil"]
  }

  /// The value that all selected objects have, or the marker (CTR.33).
  private static func common(_ values: [String]) -> String {
    guard let first = values.first else { return "\(KVSelectionMarker.noSelection)" }
    return values.allSatisfy { $0 == first } ? first : "\(KVSelectionMarker.multipleValues)"
  }
}
