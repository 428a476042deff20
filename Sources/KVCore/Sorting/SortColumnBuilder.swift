/// Takes the values of a descriptor, and makes a column of them: one without boxes if all are of one common type.
struct SortColumnBuilder {
  private enum Kind { case none, integer, floating, text, other }

  private let descriptor: KVSortDescriptor
  private var kind = Kind.none
  private var count = 0
  private var integers: [Int] = []
  private var floatings: [Double] = []
  private var texts: [String] = []
  private var others: [Scalar] = []
  private var nils: [Bool] = []

  /// Whether a function of the program compares the values, which keep their types for it.
  private let isCustom: Bool

  init(_ descriptor: KVSortDescriptor) {
    self.descriptor = descriptor
    if case .custom = try? descriptor.comparison.method() { isCustom = true } else { isCustom = false }
  }

  mutating func append(_ value: Scalar) {
    defer { count += 1 }
    let value = isCustom ? value : value.plain
    if !nils.isEmpty { nils.append(false) }
    if value.isNil { return appendNil() }
    if kind == .none { begin(with: value) }
    switch kind {
    case .integer: if case .integer(let value) = value { return integers.append(value) }
    case .floating: if case .floating(let value) = value { return floatings.append(value) }
    case .text: if case .text(let value) = value { return texts.append(value) }
    case .none, .other: break
    }
    generalize()
    others.append(value)
  }

  /// Chooses the type of the column by the first value that is not nil.
  private mutating func begin(with value: Scalar) {
    switch value {
    case .integer:
      kind = .integer
      integers = Array(repeating: 0, count: count)
    case .floating:
      kind = .floating
      floatings = Array(repeating: 0, count: count)
    case .text:
      kind = .text
      texts = Array(repeating: "", count: count)
    case .none, .bool, .other: break
    }
  }

  private mutating func appendNil() {
    if nils.isEmpty { nils = Array(repeating: false, count: count) + [true] } else { nils[count] = true }
    switch kind {
    case .none: break
    case .integer: integers.append(0)
    case .floating: floatings.append(0)
    case .text: texts.append("")
    case .other: others.append(.none)
    }
  }

  /// Continues with values of any types.
  private mutating func generalize() {
    switch kind {
    case .none: others = Array(repeating: .none, count: count)
    case .integer: others = integers.map { .integer($0) }
    case .floating: others = floatings.map { .floating($0) }
    case .text: others = texts.map { .text($0) }
    case .other: return
    }
    if kind != .none, !nils.isEmpty {
      for index in 0..<count where nils[index] { others[index] = .none }
    }
    kind = .other
    (integers, floatings, texts) = ([], [], [])
  }

  // MARK: The column

  /// Returns the column.
  ///
  /// - Throws: ``KVError`` (`typeMismatch`) if two values cannot be compared.
  mutating func column() throws(KVError) -> SortColumn {
    if kind == .none { return SortColumn(descriptor, nils: nils) }
    switch try descriptor.comparison.method() {
    case .standard: return try standardColumn()
    case .natural: return NaturalColumn(try allTexts(), descriptor, nils: nils)
    case .caseInsensitive:
      return TextColumn(try allTexts().map { TextFolding.fold($0, .caseInsensitive) }, descriptor, nils: nils)
    case .custom(let body):
      generalize()
      return AnyColumn(others, descriptor, nils: nils) { left, right in
        guard let left = left.any, let right = right.any else { return .same }
        return try body(left, right)
      }
    }
  }

  private func standardColumn() throws(KVError) -> SortColumn {
    switch kind {
    case .none, .integer: return IntegerColumn(integers, descriptor, nils: nils)
    case .floating: return FloatingColumn(floatings, descriptor, nils: nils)
    case .text: return TextColumn(texts, descriptor, nils: nils)
    case .other: break
    }
    guard let first = others.firstIndex(where: { !$0.isNil }) else { return SortColumn(descriptor, nils: nils) }
    // Each value is compared with the first one, and the first one of each type with those of the other types.
    var samples: [(type: ObjectIdentifier, index: Int)] = []
    for (index, value) in others.enumerated() where !value.isNil {
      if SortKeys.compare(others[first], value) == nil { throw mismatch(first, index) }
      guard case .other(let any) = value, case let type = ObjectIdentifier(type(of: any)),
        !samples.contains(where: { $0.type == type })
      else { continue }
      for sample in samples where SortKeys.compare(others[sample.index], value) == nil {
        throw mismatch(sample.index, index)
      }
      samples.append((type, index))
    }
    return comparableColumn(others[first])
      ?? AnyColumn(others, descriptor, nils: nils) { [others] left, right in
        if let ordering = SortKeys.compare(left, right) { return ordering }
        let (index, other) = (Self.index(of: left, in: others), Self.index(of: right, in: others))
        throw mismatch(index, other)
      }
  }

  /// Returns a column of values of one type, if all are of it.
  private func comparableColumn(_ first: Scalar) -> SortColumn? {
    guard nils.isEmpty, case .other(let sample) = first, !(sample is any NumericValue),
      let comparable = sample as? any Comparable
    else { return nil }
    func column<Value: Comparable>(_ sample: Value) -> SortColumn? {
      var values: [Value] = []
      values.reserveCapacity(others.count)
      for case .other(let other) in others {
        guard let value = exactCast(other, Value.self) else { return nil }
        values.append(value)
      }
      return values.count == others.count ? ComparableColumn(values, descriptor, nils: nils) : nil
    }
    return column(comparable)
  }

  /// Returns the texts, with those of enums.
  private mutating func allTexts() throws(KVError) -> [String] {
    if kind == .text { return texts }
    generalize()
    var result: [String] = []
    for (index, value) in others.enumerated() {
      if value.isNil {
        result.append("")
        continue
      }
      do throws(KVError) { result.append(try Self.text(of: value, descriptor)) } catch {
        throw error.ofElement(index, isOrdered: true)
      }
    }
    return result
  }

  /// Returns a text of any type, or that of an enum.
  static func text(of value: Scalar, _ descriptor: KVSortDescriptor) throws(KVError) -> String {
    if case .text(let text) = value { return text }
    if let text = value.any.flatMap(RawValues.text) { return text }
    throw KVError(
      .typeMismatch,
      """
      \(describe(asAny(value.any))) is not a text, which the comparison "\(descriptor.comparison)" needs; use .standard.
      """, keyPath: descriptor.keyPath.description, component: descriptor.keyPath.last.description)
  }

  private static func index(of value: Scalar, in values: [Scalar]) -> Int {
    values.firstIndex { Scalar.areEqual($0, value) } ?? 0
  }

  private func mismatch(_ first: Int, _ index: Int) -> KVError {
    let (left, right) = (describe(asAny(others[first].any)), describe(asAny(others[index].any)))
    let reason =
      first == index
      ? "\(left) is not Comparable" : "\(left) of element \(first) and \(right) of element \(index) cannot be compared"
    return KVError(
      .typeMismatch,
      """
      cannot sort by "\(descriptor.keyPath)": \(reason). Sort by a key of Comparable values of one type, or register a KVComparison.
      """, keyPath: descriptor.keyPath.description, component: descriptor.keyPath.last.description)
  }
}
