import KVCore

/// The values of one descriptor, for all elements: what a sort compares.
class SortColumn {
  /// Which values are nil; empty if none is.
  let nils: [Bool]
  let ascending: Bool
  /// Whether nil stands before all values.
  let putsNilsFirst: Bool
  /// The error of a comparison that failed.
  var failure: KVError?

  init(_ descriptor: KVSortDescriptor, nils: [Bool]) {
    self.nils = nils
    ascending = descriptor.ascending
    putsNilsFirst = descriptor.putsNilsFirst
  }

  /// Whether values with equal prefixes are equal.
  var hasExactPrefixes: Bool { false }

  /// Returns a number whose order is that of the values as far as it goes; equal numbers say nothing.
  func prefix(_ index: Int) -> UInt64 { 0 }

  /// Returns the order of two values, neither of which is nil, when ascending.
  func order(_ left: Int, _ right: Int) -> KVOrdering { .same }

  /// Returns the order of two elements.
  @inline(__always)
  final func compare(_ left: Int, _ right: Int) -> KVOrdering {
    if !nils.isEmpty, nils[left] || nils[right] {
      if nils[left] == nils[right] { return .same }
      return nils[left] == putsNilsFirst ? .less : .greater
    }
    let ordering = order(left, right)
    return ascending ? ordering : ordering.reversed
  }
}

/// Integers.
final class IntegerColumn: SortColumn {
  private let values: [Int]

  init(_ values: [Int], _ descriptor: KVSortDescriptor, nils: [Bool]) {
    self.values = values
    super.init(descriptor, nils: nils)
  }

  override var hasExactPrefixes: Bool { true }
  override func prefix(_ index: Int) -> UInt64 { UInt64(bitPattern: Int64(values[index])) ^ (1 << 63) }
  override func order(_ left: Int, _ right: Int) -> KVOrdering { KVOrdering(values[left], values[right]) }
}

/// Floating-point numbers; NaN comes after all others.
final class FloatingColumn: SortColumn {
  private let values: [Double]

  init(_ values: [Double], _ descriptor: KVSortDescriptor, nils: [Bool]) {
    self.values = values
    super.init(descriptor, nils: nils)
  }

  override var hasExactPrefixes: Bool { true }

  override func prefix(_ index: Int) -> UInt64 { Self.prefix(values[index]) }
  override func order(_ left: Int, _ right: Int) -> KVOrdering { Self.order(values[left], values[right]) }

  private static func prefix(_ value: Double) -> UInt64 {
    if value.isNaN { return .max }
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  static func order(_ left: Double, _ right: Double) -> KVOrdering { KVOrdering(prefix(left), prefix(right)) }
}

/// Texts, compared by scalars in the canonical form.
final class TextColumn: SortColumn {
  private let values: [String]
  private let isASCII: Bool

  init(_ values: [String], _ descriptor: KVSortDescriptor, nils: [Bool]) {
    isASCII = values.allSatisfy(\.isASCII)
    self.values = isASCII ? values : values.map(KVOrdering.terminated)
    super.init(descriptor, nils: nils)
  }

  /// The first bytes, unless there are texts that are not ASCII: in these, what follows a letter may change its place.
  override func prefix(_ index: Int) -> UInt64 { isASCII ? Self.prefix(values[index].utf8) : 0 }

  override func order(_ left: Int, _ right: Int) -> KVOrdering {
    KVOrdering(values[left], values[right])
  }

  /// Returns the first eight bytes as a number.
  @inline(__always)
  static func prefix(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var (result, shift): (UInt64, UInt64) = (0, 56)
    for byte in bytes {
      result |= UInt64(byte) << shift
      if shift == 0 { break }
      shift -= 8
    }
    return result
  }
}

/// Texts in natural order.
final class NaturalColumn: SortColumn {
  private let values: [String]

  init(_ values: [String], _ descriptor: KVSortDescriptor, nils: [Bool]) {
    self.values = values
    super.init(descriptor, nils: nils)
  }

  override func prefix(_ index: Int) -> UInt64 { TextColumn.prefix(NaturalOrder.primaryKey(values[index])) }
  override func order(_ left: Int, _ right: Int) -> KVOrdering { NaturalOrder.compare(values[left], values[right]) }
}

/// Values of one type that is `Comparable`.
final class ComparableColumn<Value: Comparable>: SortColumn {
  private let values: [Value]

  init(_ values: [Value], _ descriptor: KVSortDescriptor, nils: [Bool]) {
    self.values = values
    super.init(descriptor, nils: nils)
  }

  override func order(_ left: Int, _ right: Int) -> KVOrdering { KVOrdering(values[left], values[right]) }
}

/// Values of any types that can be compared, by a function.
final class AnyColumn: SortColumn {
  private let values: [Scalar]
  private let body: (Scalar, Scalar) throws -> KVOrdering
  private let path: KVKeyPath

  init(
    _ values: [Scalar], _ descriptor: KVSortDescriptor, nils: [Bool],
    _ body: @escaping (Scalar, Scalar) throws -> KVOrdering
  ) {
    self.values = values
    self.body = body
    path = descriptor.keyPath
    super.init(descriptor, nils: nils)
  }

  override func order(_ left: Int, _ right: Int) -> KVOrdering {
    guard failure == nil else { return .same }
    do { return try body(values[left], values[right]) } catch {
      failure = SortKeys.failure(error, path, (left, right))
      return .same
    }
  }
}
