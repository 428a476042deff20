import KVCore

extension KVFixtures {
  /// An enum with raw values.
  package enum Mood: String, Sendable, CaseIterable {
    /// The first.
    case calm
    /// The second.
    case merry
  }

  /// An enum without raw values, whose cases can be listed.
  package enum Hand: Sendable, CaseIterable {
    /// The first.
    case left
    /// The second.
    case right
  }

  /// A struct with a table, which contains other values.
  package struct Address: KeyValueCoding, Sendable, Hashable {
    /// A string.
    package var city: String
    /// A string that may be nil.
    package var street: String?
    /// An array.
    package var lines: [String] = []

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - city: The city.
    ///   - street: The street.
    package init(city: String = "London", street: String? = nil) {
      self.city = city
      self.street = street
    }

    /// The keys of an address.
    package static var keyTable: KVTable {
      KVTable(Address.self) { key in
        key("city", \.city)
        key("street", \.street)
        key("lines", \.lines)
      }
    }
  }

  /// A struct without a table, which reflection reads.
  package struct Stamp: Sendable, Hashable {
    /// A number.
    package var year: Int
    /// A string.
    package var motif: String

    /// Creates a stamp.
    ///
    /// - Parameters:
    ///   - year: The year.
    ///   - motif: The motif.
    package init(year: Int = 1840, motif: String = "penny black") {
      self.year = year
      self.motif = motif
    }
  }
}
