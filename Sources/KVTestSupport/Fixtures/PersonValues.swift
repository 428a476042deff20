import KVCore

extension KVFixtures {
  /// An enum with raw values.
  public enum Mood: String, Sendable, CaseIterable {
    /// The first.
    case calm
    /// The second.
    case merry
  }

  /// An enum without raw values, whose cases can be listed.
  public enum Hand: Sendable, CaseIterable {
    /// The first.
    case left
    /// The second.
    case right
  }

  /// A struct with a table, which contains other values.
  public struct Address: KeyValueCoding, Sendable, Hashable {
    /// A string.
    public var city: String
    /// A string that may be nil.
    public var street: String?
    /// An array.
    public var lines: [String] = []

    /// Creates an address.
    ///
    /// - Parameters:
    ///   - city: The city.
    ///   - street: The street.
    public init(city: String = "London", street: String? = nil) {
      self.city = city
      self.street = street
    }

    /// The keys of an address.
    public static var keyTable: KVTable {
      KVTable(Address.self) { key in
        key("city", \.city)
        key("street", \.street)
        key("lines", \.lines)
      }
    }
  }

  /// A struct without a table, which reflection reads.
  public struct Stamp: Sendable, Hashable {
    /// A number.
    public var year: Int
    /// A string.
    public var motif: String

    /// Creates a stamp.
    ///
    /// - Parameters:
    ///   - year: The year.
    ///   - motif: The motif.
    public init(year: Int = 1840, motif: String = "penny black") {
      self.year = year
      self.motif = motif
    }
  }
}
