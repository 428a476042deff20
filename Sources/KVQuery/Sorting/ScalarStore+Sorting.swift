import KVCore

extension ScalarStore {
  /// Returns the column of a sort: the values as what the comparison of a descriptor compares.
  ///
  /// - Throws: ``KVError`` (`typeMismatch`) if two values cannot be compared.
  consuming func column(_ descriptor: KVSortDescriptor) throws(KVError) -> SortColumn {
    if kind == .none { return SortColumn(descriptor, nils: nils) }
    switch try descriptor.comparison.method() {
    case .standard: return try standardColumn(descriptor)
    case .natural: return NaturalColumn(try allTexts(descriptor), descriptor, nils: nils)
    case .caseInsensitive:
      let texts = try allTexts(descriptor).map { TextFolding.fold($0, .caseInsensitive) }
      return TextColumn(texts, descriptor, nils: nils)
    case .custom(let body):
      generalize()
      return AnyColumn(scalars, descriptor, nils: nils) { left, right in
        guard let left = left.any, let right = right.any else { return .same }
        return try body(left, right)
      }
    }
  }

  private func standardColumn(_ descriptor: KVSortDescriptor) throws(KVError) -> SortColumn {
    switch kind {
    case .none, .integer: return IntegerColumn(integers, descriptor, nils: nils)
    case .floating: return FloatingColumn(floatings, descriptor, nils: nils)
    case .text: return TextColumn(texts, descriptor, nils: nils)
    case .other: break
    }
    guard let first = scalars.firstIndex(where: { !$0.isNil }) else { return SortColumn(descriptor, nils: nils) }
    // Each value is compared with the first one, and the first one of each type with those of the other types.
    var samples: [(type: ObjectIdentifier, index: Int)] = []
    for (index, value) in scalars.enumerated() where !value.isNil {
      if SortKeys.compare(scalars[first], value) == nil { throw mismatch(first, index, descriptor) }
      guard case .other(let any) = value, case let type = ObjectIdentifier(type(of: any)),
        !samples.contains(where: { $0.type == type })
      else { continue }
      for sample in samples where SortKeys.compare(scalars[sample.index], value) == nil {
        throw mismatch(sample.index, index, descriptor)
      }
      samples.append((type, index))
    }
    return comparableColumn(scalars[first], descriptor)
      ?? AnyColumn(scalars, descriptor, nils: nils) { [scalars] left, right in
        if let ordering = SortKeys.compare(left, right) { return ordering }
        let (index, other) = (Self.index(of: left, in: scalars), Self.index(of: right, in: scalars))
        throw mismatch(index, other, descriptor)
      }
  }

  /// Returns a column of values of one type, if all are of it.
  private func comparableColumn(_ first: Scalar, _ descriptor: KVSortDescriptor) -> SortColumn? {
    guard nils.isEmpty, case .other(let sample) = first, !(sample is any NumericValue),
      let comparable = sample as? any Comparable
    else { return nil }
    func column<Value: Comparable>(_ sample: Value) -> SortColumn? {
      var values: [Value] = []
      values.reserveCapacity(scalars.count)
      for case .other(let other) in scalars {
        guard let value = exactCast(other, Value.self) else { return nil }
        values.append(value)
      }
      return values.count == scalars.count ? ComparableColumn(values, descriptor, nils: nils) : nil
    }
    return column(comparable)
  }

  /// Returns the texts, with those of enums.
  private func allTexts(_ descriptor: KVSortDescriptor) throws(KVError) -> [String] {
    if kind == .text { return texts }
    var result: [String] = []
    for index in 0..<count {
      let value = self[index]
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

  private func mismatch(_ first: Int, _ index: Int, _ descriptor: KVSortDescriptor) -> KVError {
    let (left, right) = (describe(asAny(scalars[first].any)), describe(asAny(scalars[index].any)))
    return Self.mismatch(
      first == index
        ? "\(left) is not Comparable"
        : "\(left) of element \(first) and \(right) of element \(index) cannot be compared", descriptor)
  }

  /// Returns the error of values that cannot be compared.
  static func mismatch(_ reason: String, _ descriptor: KVSortDescriptor) -> KVError {
    KVError(
      .typeMismatch,
      """
      cannot sort by "\(descriptor.keyPath)": \(reason). Sort by a key of Comparable values of one type, or register a KVComparison.
      """, keyPath: descriptor.keyPath.description, component: descriptor.keyPath.last.description)
  }
}
