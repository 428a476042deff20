import KVBinding
import KVCore

// The choice of test values.

extension ComplianceInspection {
  private var maker: ValueMaker {
    ValueMaker { [self] type in
      guard let model = (try? sample())?.model else { return nil }
      func open<T>(_ type: T.Type) -> Any? { model as? T }
      return _openExistential(type, do: open)
    }
  }

  /// Returns the value to write: one that differs from the current value, or the current value if no other is known.
  func value(for key: ComplianceKey, in sample: ComplianceSample) -> Any? {
    if let value = values[key.name] { return value }
    do throws(KVError) { return try sample.value(key.name) } catch { return nil }
  }

  /// Returns values for a key that differ from its current one: the given value, or made-up ones.
  func candidates(for key: ComplianceKey, in sample: ComplianceSample, than current: Any?) throws -> [Any?] {
    if let value = given[key.name] {
      if !Similarity.areAlike(value, current) { return [value] }
      report(
        .unusedValue, key.name,
        "\"\(key.name)\" is \(brief(current)) already, the value that was given for it. Give another one.")
    }
    guard stableKeys.contains(key.name) else { return [] }
    let made = maker.others(than: current, of: key.valueType).compactMap { accepted($0, key, sample) }
    return (made + [try self.sample().value(key.name)]).filter {
      Similarity.isComparable($0) && !Similarity.areAlike($0, current)
    }
  }

  /// Returns a value as the validator of a key accepts it; `nil` in the outer optional if it is rejected.
  private func accepted(_ value: Any?, _ key: ComplianceKey, _ sample: ComplianceSample) -> Any?? {
    guard key.isListed, let outcome = try? sample.model.validate(value, forKeyPath: key.name) else {
      return key.isListed ? nil : .some(value)
    }
    guard case .replaced(let other) = outcome else { return .some(value) }
    return .some(other)
  }

  /// Returns another value for the end of a path.
  func otherValue(than current: Any?, _ key: KVKeyDescription, of owner: Any) -> Any? {
    let others = maker.others(than: current, of: key.valueType)
    return others.first { (try? KVC.validate($0, forKeyPath: KVKeyPath(singleKey: key.name), of: owner)) != nil }
      ?? current
  }

  /// Returns elements that a collection does not contain, as many as can be found.
  func newElements(for key: ComplianceKey, than current: [Any?]) throws -> [Any] {
    var collections: [Any?] = given[key.name].map { [$0] } ?? []
    let (sample, other) = (try sample(), try self.sample())
    collections += maker.others(than: try sample.value(key.name), of: key.valueType) + [try other.value(key.name)]
    var elements: [Any] = []
    for element in try collections.compactMap({ $0 }).flatMap({ try DynamicCollection.all(of: $0) ?? [] }).compactMap({
      $0
    })
    where !(current + elements).contains(where: { Similarity.areAlike($0, element) }) { elements.append(element) }
    return elements
  }
}
