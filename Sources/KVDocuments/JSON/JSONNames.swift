import KVCore

/// The names of the members of an object that have been read.
///
/// Of objects with many members, each name takes the same memory, however long it is.
struct JSONNames {
  /// Two hash values of a name: 128 bits, seeded anew in each process.
  private struct Fingerprint: Hashable {
    let first: Int
    let second: Int

    init(_ name: String) {
      first = name.hashValue
      var hasher = Hasher()
      hasher.combine(first)
      hasher.combine(name)
      second = hasher.finalize()
    }
  }

  private static let few = 16

  private var names: [String] = []
  private var fingerprints: Set<Fingerprint> = []

  var isEmpty: Bool { names.isEmpty && fingerprints.isEmpty }

  /// Adds a name, and returns whether it is a new one.
  ///
  /// Two spellings that are equivalent in Unicode are one name.
  mutating func insert(_ name: String) -> Bool {
    if fingerprints.isEmpty {
      if names.contains(name) { return false }
      if names.isEmpty { names.reserveCapacity(Self.few) }
      names.append(name)
      if names.count > Self.few {
        fingerprints = Set(names.map(Fingerprint.init))
        names = []
      }
      return true
    }
    return fingerprints.insert(Fingerprint(name)).inserted
  }
}
