import KVCore

/// The values that elements are sorted by, each read once, and the order that they give (SRT.12).
struct SortKeys {
  private struct Item {
    let prefix: UInt64
    let index: Int
  }

  private let columns: [SortColumn]
  private let count: Int

  /// Creates the keys of columns that have been read.
  init(_ columns: [SortColumn], count: Int) {
    self.columns = columns
    self.count = count
  }

  /// Reads the values of descriptors for all elements.
  ///
  /// - Throws: ``KVError``: the error of an element, with its index; `typeMismatch` if two values cannot be compared.
  init<Element>(_ elements: [Element], _ descriptors: [KVSortDescriptor]) throws(KVError) {
    count = elements.count
    var columns: [SortColumn] = []
    for descriptor in descriptors {
      let keepsTypes = (try? descriptor.comparison.method())?.keepsTypes ?? false
      let reader = ScalarReader(path: descriptor.keyPath)
      var values = ScalarStore()
      values.reserve(count)
      if Element.self is AnyClass {
        try Self.read(elements, by: reader, keepsTypes, to: &values)
      } else {
        for (index, element) in elements.enumerated() {
          do throws(KVError) {
            guard let element = unwrappingOptionals(element) else {
              values.replace(index, by: .none)
              continue
            }
            let value = try reader.scalar(in: element)
            values.replace(index, by: keepsTypes ? value : value.plain)
          } catch {
            throw error.ofElement(index, isOrdered: true)
          }
        }
      }
      columns.append(try values.column(descriptor))
    }
    self.columns = columns
  }

  /// Reads the values of objects.
  private static func read<Element>(
    _ objects: [Element], by reader: ScalarReader, _ keepsTypes: Bool, to values: inout ScalarStore
  ) throws(KVError) {
    var index = 0
    var failure: KVError?
    objects.allObjects { object in
      do throws(KVError) {
        let value = try reader.scalar(of: object)
        values.replace(index, by: keepsTypes ? value : value.plain)
      } catch {
        failure = error.ofElement(index, isOrdered: true)
      }
      index += 1
      return failure == nil
    }
    if let failure { throw failure }
  }

  /// Returns the indexes of the elements in their order.
  func order() throws(KVError) -> [Int] {
    guard let first = columns.first else { return Array(0..<count) }
    var nils: [Int] = []
    var items: [Item] = []
    items.reserveCapacity(count)
    for index in 0..<count {
      if !first.nils.isEmpty, first.nils[index] {
        nils.append(index)
      } else {
        let prefix = first.prefix(index)
        items.append(Item(prefix: first.ascending ? prefix : ~prefix, index: index))
      }
    }
    let start = first.hasExactPrefixes ? 1 : 0
    items.sort { left, right in
      left.prefix != right.prefix ? left.prefix < right.prefix : precedes(left.index, right.index, from: start)
    }
    nils.sort { precedes($0, $1, from: 1) }
    if let failure = columns.lazy.compactMap(\.failure).first { throw failure }
    let values = items.map(\.index)
    return first.putsNilsFirst ? nils + values : values + nils
  }

  private func precedes(_ left: Int, _ right: Int, from start: Int) -> Bool {
    for column in columns[start...] {
      switch column.compare(left, right) {
      case .less: return true
      case .greater: return false
      case .same: continue
      }
    }
    return left < right
  }

  /// Returns the order of two elements.
  func compare(_ left: Int, _ right: Int) throws(KVError) -> KVOrdering {
    for column in columns {
      let ordering = column.compare(left, right)
      if let failure = column.failure { throw failure }
      if ordering != .same { return ordering }
    }
    return .same
  }

  /// Returns the order of two values, neither of which is nil, with NaN after all numbers; nil if they cannot be
  /// compared.
  static func compare(_ left: Scalar, _ right: Scalar) -> KVOrdering? {
    if let ordering = Scalar.compare(left, right) { return ordering }
    guard Scalar.haveNaN(left, right) else { return nil }
    return left.isNaN == right.isNaN ? .same : left.isNaN ? .greater : .less
  }

  /// Returns the error of a comparison that the program registered.
  ///
  /// - Parameter elements: The indexes of the two elements, if they are known.
  static func failure(_ error: any Error, _ path: KVKeyPath, _ elements: (Int, Int)? = nil) -> KVError {
    let known = error as? KVError
    if let known, known.keyPath != nil { return known }
    let location = elements.map { "elements \($0.0) and \($0.1): " } ?? ""
    return KVError(
      known?.code ?? .custom,
      """
      cannot sort by "\(path)": \(location)\(known?.message ?? "a comparison failed: \(error).")
      """, keyPath: path.description, component: path.last.description,
      underlying: known == nil ? error : known?.underlying)
  }
}
