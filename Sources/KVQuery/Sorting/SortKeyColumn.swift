import KVCore

/// The values of one descriptor that ``SortKeyStore`` keep, by slot.
final class SortKeyColumn {
  let reader: ScalarReader
  private let descriptor: KVSortDescriptor
  private let method: KVComparison.Method
  private let comparesScalars: Bool
  /// The values; those of ``failed`` slots are nil.
  private var values: ScalarStore
  /// The slots whose elements come last, since their value cannot be read or compared.
  private var failed: Set<Int> = []
  /// The values that are not what is compared of them, with their own types; nil if only the order is wanted.
  private var originals: [Int: Scalar]?
  /// The first value that is not nil, with which others must be comparable.
  private var sample = Scalar.none
  /// Whether a value was refused since it cannot be compared with the sample.
  private var hasMisfits = false

  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - keepsOriginals: Whether ``value(_:)`` is the value that was read; otherwise it is what is compared of that.
  init(_ descriptor: KVSortDescriptor, keepsOriginals: Bool = false) throws(KVError) {
    self.descriptor = descriptor
    originals = keepsOriginals ? [:] : nil
    method = try descriptor.comparison.method()
    reader = ScalarReader(path: descriptor.keyPath)
    comparesScalars = method.comparesScalars
    values = ScalarStore(comparesScalars: comparesScalars)
  }

  /// Creates a column of the same descriptor, without values.
  init(like other: SortKeyColumn) {
    (descriptor, method, reader) = (other.descriptor, other.method, other.reader)
    comparesScalars = other.comparesScalars
    values = ScalarStore(comparesScalars: comparesScalars)
    originals = other.originals.map { _ in [:] }
  }

  /// Returns whether values were refused, and none of some slots is left that they could not be compared with.
  func isStale(_ slots: [Int32]) -> Bool {
    hasMisfits && slots.allSatisfy { failed.contains(Int($0)) || values.isNil(Int($0)) }
  }

  /// Whether some value could not be read or compared.
  var hasFailures: Bool { !failed.isEmpty }

  var isAscending: Bool { descriptor.ascending }

  /// The values, if they are compared by their scalars, and none has failed.
  var simpleValues: ScalarStore? { comparesScalars && failed.isEmpty ? values : nil }

  func reserve(_ count: Int) { values.reserve(count) }

  /// The value of a slot.
  func value(_ slot: Int) -> Any? { (originals?[slot] ?? values[slot]).any }

  /// The compared form of the value of a slot.
  func comparedValue(_ slot: Int) -> Any? { values[slot].any }

  /// Keeps a value that was read.
  ///
  /// - Returns: The error if it cannot be compared.
  func set(_ value: Scalar, at slot: Int) -> KVError? {
    do throws(KVError) {
      let key = try key(method.keepsTypes ? value : value.plain)
      if sample.isNil { sample = key }
      replace(slot, key)
      if originals != nil { keepOriginal(value, of: slot, key) }
      if hasFailures { failed.remove(slot) }
      return nil
    } catch {
      setFailed(slot)
      return error
    }
  }

  /// Keeps that a value could not be read.
  func setFailed(_ slot: Int) {
    replace(slot, .none)
    let old = originals?.removeValue(forKey: slot)
    failed.insert(slot)
    withExtendedLifetime(old) {}
  }

  func clear(_ slot: Int) {
    let old = (values.clear(slot), originals?.removeValue(forKey: slot))
    if hasFailures { failed.remove(slot) }
    withExtendedLifetime(old) {}
  }

  private func keepOriginal(_ value: Scalar, of slot: Int, _ key: Scalar) {
    let old = originals?[slot]
    switch (value, key) {
    case (.text(let value), .text(let key)) where value == key: originals?[slot] = nil
    case (.none, _), (.bool, .bool), (.integer, .integer), (.floating, .floating): originals?[slot] = nil
    default: originals?[slot] = value
    }
    withExtendedLifetime(old) {}
  }

  /// Replaces a value; the old one is released after the access, since that can run any code.
  private func replace(_ slot: Int, _ key: Scalar) {
    let old = values.replace(slot, by: key)
    withExtendedLifetime(old) {}
  }

  /// Returns what is compared of a value.
  private func key(_ value: Scalar) throws(KVError) -> Scalar {
    if value.isNil { return value }
    switch method {
    case .natural: return .text(try ScalarStore.text(of: value, descriptor))
    case .caseInsensitive:
      return .text(TextFolding.fold(try ScalarStore.text(of: value, descriptor), .caseInsensitive))
    case .standard:
      switch (value, sample) {
      case (.integer, .integer), (.text, .text), (.floating, .floating), (.integer, .none), (.text, .none),
        (.floating, .none):
        return value
      default: break
      }
    case .custom: break
    }
    if sample.isNil {
      _ = try order(value, value)
      return value
    }
    do throws(KVError) { _ = try order(sample, value) } catch {
      hasMisfits = true
      throw error
    }
    return value
  }

  /// Returns the order of two values, neither of which is nil, when ascending.
  private func order(_ left: Scalar, _ right: Scalar) throws(KVError) -> KVOrdering {
    switch method {
    case .natural:
      guard case .text(let left) = left, case .text(let right) = right else { return .same }
      return NaturalOrder.compare(left, right)
    case .custom(let body):
      guard let left = left.any, let right = right.any else { return .same }
      do { return try body(left, right) } catch { throw SortKeys.failure(error, descriptor.keyPath) }
    case .standard, .caseInsensitive:
      if let ordering = SortKeys.compare(left, right) { return ordering }
      throw ScalarStore.mismatch(
        "\(describe(asAny(left.any))) and \(describe(asAny(right.any))) cannot be compared", descriptor)
    }
  }

  /// Returns the order of the elements of two slots.
  @inline(__always)
  func compare(_ left: Int, _ right: Int) throws(KVError) -> KVOrdering {
    if !failed.isEmpty {
      let (isLeft, isRight) = (failed.contains(left), failed.contains(right))
      if isLeft || isRight { return isLeft == isRight ? .same : isLeft ? .greater : .less }
    }
    let ordering = comparesScalars ? values.compare(left, right) : nil
    if let ordering { return descriptor.ascending ? ordering : ordering.reversed }
    return try compareGeneral(left, right)
  }

  @inline(never)
  private func compareGeneral(_ left: Int, _ right: Int) throws(KVError) -> KVOrdering {
    let ordering: KVOrdering
    switch (values[left], values[right]) {
    case (.none, .none): return .same
    case (.none, _): return descriptor.putsNilsFirst ? .less : .greater
    case (_, .none): return descriptor.putsNilsFirst ? .greater : .less
    case (let left, let right): ordering = try order(left, right)
    }
    return descriptor.ascending ? ordering : ordering.reversed
  }

  /// Returns the values of slots as a column of a sort; nil if values failed.
  func sortColumn(_ slots: [Int]) -> SortColumn? {
    hasFailures ? nil : try? values.selecting(slots).column(descriptor)
  }
}
