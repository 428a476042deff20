import KVBinding
import KVQuery

/// The rows of a query: the elements of an array, or the members of an object.
struct QueryRows {
  /// The rows; nil for a null.
  private(set) var values: [Any?]
  /// Where each row stands in the document; nil before rows were left out.
  private var indexes: [Int]?
  private let path: String?
  private let isArray: Bool

  /// Takes the rows of a value.
  ///
  /// - Parameters:
  ///   - value: An array, or an object, whose members become rows with a `key` and a `value`.
  ///   - path: The key path of the value; nil for the whole document.
  init(_ value: Any?, at path: String?) throws(ToolFailure) {
    self.path = path
    let location = path.map { "\"\($0)\"" } ?? "the document"
    switch ValueKind(value) {
    case .array:
      values = value as? [Any?] ?? []
      isArray = true
    case .object:
      let members = (value as? [String: Any] ?? [:]).sorted { $0.key < $1.key }
      values = members.map { ["key": $0.key, "value": $0.value] as [String: Any] }
      isArray = false
    case .null: throw ToolFailure("\(location) is null, and has no rows.")
    case let kind: throw ToolFailure("\(location) has no rows: it is \(kind.article), neither an array nor an object.")
    }
  }

  // MARK: Keys

  /// The keys of all rows, sorted; `self` if some rows are no objects.
  var keys: [KVKeyPath] {
    var objects = DocumentPath.Objects()
    for value in values where ValueKind(value) != .object && ValueKind(value) != .null { return ["self"] }
    objects.collect(values)
    return objects.names.compactMap { name in
      let key = name == "self" ? nil : try? KVKeyPath(components: [.key(name)])
      return key ?? (try? KVKeyPath(components: [.entry(name)]))
    }
  }

  /// Refuses a key path with a key that no row has.
  ///
  /// - Complexity: O(*n*) in the rows and in the elements of their arrays, for each key.
  func check(_ path: KVKeyPath) throws(ToolFailure) {
    let location = self.path.map { "\"\($0)\"" } ?? "the document"
    var current: [Any?] = values
    for (index, component) in path.components.enumerated() {
      // An index and an operator lead to elements, whose keys are looked for in all elements here.
      guard case .key(let key) = component.plain else { continue }
      var objects = DocumentPath.Objects()
      objects.collect(current)
      let parent = index == 0 ? nil : try? KVKeyPath(components: Array(path.components[..<index]))
      try objects.check(key, in: parent.map { "\"\($0)\" of \(location)" } ?? location)
      if key != "self" || !objects.dictionaries.isEmpty { current = objects.dictionaries.map { $0[key] } }
    }
  }

  // MARK: Steps

  /// Leaves out the rows that do not pass.
  mutating func filter(_ predicate: KVPredicate, _ progress: Progress) throws(ToolFailure) {
    var kept: [Int] = []
    progress.begin("filtering \(values.count) rows")
    for (index, value) in values.enumerated() {
      do throws(KVError) {
        if try predicate.evaluate(with: value) { kept.append(index) }
      } catch {
        throw failure(error, at: index)
      }
      if index & 1023 == 0 { progress.report("\(index) of \(values.count) rows filtered") }
    }
    values = kept.map { values[$0] }
    indexes = kept
  }

  /// Sorts the rows.
  mutating func sort(by descriptors: [KVSortDescriptor], _ progress: Progress) throws(ToolFailure) {
    progress.begin("sorting \(values.count) rows", isLong: isLong)
    let sorted: [Any?]
    do throws(KVError) { sorted = try values.sorted(by: descriptors) } catch {
      try locate(descriptors.map(\.keyPath))
      throw ToolFailure(mismatch(descriptors) ?? error.message)
    }
    values = sorted
    indexes = nil
  }

  /// Returns the rows in groups of equal values.
  func grouped(by path: KVKeyPath, _ progress: Progress) throws(ToolFailure) -> [KVGroup<Any?>] {
    progress.begin("grouping \(values.count) rows", isLong: isLong)
    do throws(KVError) { return try values.grouped(by: path) } catch {
      try locate([path])
      throw ToolFailure(error)
    }
  }

  private var isLong: Bool { values.count > 100_000 }

  // MARK: Failures

  /// Throws the failure of the first row of which one of the key paths cannot be read.
  private func locate(_ paths: [KVKeyPath]) throws(ToolFailure) {
    for (index, value) in values.enumerated() {
      for path in paths {
        do throws(KVError) {
          _ = try value.map { value throws(KVError) in try KVC.value(of: value, forKeyPath: path) }
        } catch {
          throw failure(error, at: index)
        }
      }
    }
  }

  private func failure(_ error: KVError, at index: Int) -> ToolFailure {
    let location: String
    if isArray {
      location = "\(path ?? "")[\(indexes?[index] ?? index)]"
    } else {
      let key = (values[index] as? [String: Any])?["key"] as? String ?? ""
      location = "\(path.map { "\($0)." } ?? "")\(key)"
    }
    return ToolFailure("\"\(location)\": \(error.message)")
  }

  /// Says which values of different kinds cannot be sorted.
  private func mismatch(_ descriptors: [KVSortDescriptor]) -> String? {
    for descriptor in descriptors {
      let kinds = values.reduce(into: Set<ValueKind>()) { kinds, row in
        let value = try? row.flatMap { try KVC.value(of: $0, forKeyPath: descriptor.keyPath) }
        kinds.insert(ValueKind(value ?? nil))
      }.subtracting([.null])
      let isOfNumbers = kinds.isSubset(of: [.integer, .number, .boolean])
      let isOfTexts = kinds.isSubset(of: [.string])
      let isOfOne = kinds.count == 1 && kinds.isDisjoint(with: [.array, .object, .data, .unknown])
      if descriptor.comparison == .standard ? isOfNumbers || isOfOne : isOfTexts { continue }
      let list = kinds.sorted().map(\.article).joined(separator: " or ")
      let need = descriptor.comparison == .standard ? "values that can be compared" : "strings"
      return
        "cannot sort by \"\(descriptor.keyPath)\", which is \(list): it takes \(need). Leave rows out with --where."
    }
    return nil
  }
}

extension KVKeyPath.Component {
  /// The component, with an entry as a key.
  fileprivate var plain: KVKeyPath.Component {
    if case .entry(let key) = self { .key(key) } else { self }
  }
}
