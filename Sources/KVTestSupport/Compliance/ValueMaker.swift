import KVBinding
import KVCore

/// A maker of test values for a key, from its type and its current value.
struct ValueMaker {
  /// Returns an object of a class, or `nil` if there is none.
  let object: (Any.Type) -> Any?

  /// Returns values of a type that differ from the current one, beginning with those most likely to be accepted.
  func others(than current: Any?, of type: Any.Type) -> [Any?] {
    let others = candidates(current, type).filter { !Similarity.areAlike($0, current) }
    // A protocol type or `Any` says nothing about its values, so the type of the current one is used.
    guard others.isEmpty, let current, Swift.type(of: current) != type else { return others }
    return self.others(than: current, of: Swift.type(of: current))
  }

  private func candidates(_ current: Any?, _ type: Any.Type) -> [Any?] {
    switch type {
    case let type as any ValueVariant.Type: return type.others(than: current, by: self)
    case let type as any FixedWidthInteger.Type: return integers(type, around: current)
    case let type as any BinaryFloatingPoint.Type: return fractions(type, around: current)
    case let type as any NumericValue.Type: return [1, 2, 0].map { type.init(number: .integer($0)) }
    case let type as any CaseIterable.Type: return cases(of: type)
    case let type as any RawRepresentable.Type: return rawValues(of: type, around: current)
    case is AnyClass: return object(type).map { [$0] } ?? []
    case is any KeyValueCoding.Type: return current.map(changedCopies) ?? []
    default: return []
    }
  }

  private func integers<T: FixedWidthInteger>(_ type: T.Type, around current: Any?) -> [Any?] {
    let now = current as? T ?? 0
    let next = [now.addingReportingOverflow(1), now.subtractingReportingOverflow(1)]
    return next.filter { !$0.overflow }.map(\.partialValue) + [now / 2, 1, 0]
      + [2, 5, 10, 100].compactMap(T.init(exactly:))
  }

  private func fractions<T: BinaryFloatingPoint>(_ type: T.Type, around current: Any?) -> [Any?] {
    let now = current as? T ?? 0
    return [now + 1, now - 1, now / 2, 1, 0, 0.5]
  }

  private func cases<T: CaseIterable>(of type: T.Type) -> [Any?] { type.allCases.map { $0 } }

  private func rawValues<T: RawRepresentable>(of type: T.Type, around current: Any?) -> [Any?] {
    others(than: (current as? T)?.rawValue, of: T.RawValue.self).compactMap { raw in
      raw.flatMap { $0 as? T.RawValue }.flatMap { T(rawValue: $0) }
    }
  }

  /// Returns copies of a value, each with one changed key.
  private func changedCopies(of value: Any) -> [Any?] {
    guard let keys = try? KVC.keys(of: value) else { return [] }
    return keys.filter { !$0.isReadOnly }.compactMap { key in
      let path = KVKeyPath(singleKey: key.name)
      let now = try? KVC.value(of: value, forKeyPath: path)
      for other in others(than: now, of: key.valueType).prefix(3) {
        var copy = value
        if (try? KVC.setValue(other, forKeyPath: path, in: &copy)) != nil { return copy }
      }
      return nil
    }
  }
}
