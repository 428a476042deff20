import KVBinding
import KVCore

/// A type that returns other values than a given one, beginning with those most likely to be accepted.
protocol ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?]
}

extension Bool: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] { [true, false] }
}

extension String: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] {
    let now = current as? String ?? ""
    return [now + "x", "x", String(now.dropLast()), now.uppercased(), now.lowercased(), "1", ""]
  }
}

extension Optional: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] {
    maker.others(than: current, of: Wrapped.self) + [nil]
  }
}

extension Array: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] {
    let now = current as? [Element] ?? []
    let made = maker.others(than: now.last, of: Element.self).prefix(3).compactMap { $0.flatMap { $0 as? Element } }
    // Arrays with the same number of elements come first, since the count may have a meaning.
    var others: [[Element]] = now.isEmpty ? [] : made.map { now.dropLast() + [$0] }
    others += [now.reversed()] + made.map { now + [$0] } + [now + now.prefix(1), now.dropLast(), []]
    return others
  }
}

extension Set: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] {
    let now = current as? Set<Element> ?? []
    let made = maker.others(than: now.first, of: Element.self).prefix(3).compactMap { $0.flatMap { $0 as? Element } }
    return made.map { now.union([$0]) } + [Set(now.dropFirst()), []]
  }
}

extension Dictionary: ValueVariant {
  static func others(than current: Any?, by maker: ValueMaker) -> [Any?] {
    let now = current as? [Key: Value] ?? [:]
    let first = now.first
    let made = maker.others(than: first?.value, of: Value.self).prefix(3).compactMap { $0.flatMap { $0 as? Value } }
    let key = first?.key ?? maker.others(than: nil, of: Key.self).lazy.compactMap { $0.flatMap { $0 as? Key } }.first
    var others = key.map { key in made.map { now.merging([key: $0]) { _, new in new } } } ?? []
    others += [[Key: Value](uniqueKeysWithValues: now.dropFirst().map { ($0.key, $0.value) }), [:]]
    return others
  }
}
