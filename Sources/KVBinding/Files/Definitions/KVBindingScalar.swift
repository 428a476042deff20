/// A value that a file of binding definitions can hold: a truth value, a number or a text.
///
/// ```swift
/// definition.nullPlaceholder = "–"
/// definition.fallback = 0
/// ```
///
/// Files do not tell `1.0` from `1`, so a whole number is an integer, however it was written.
public struct KVBindingScalar: Sendable, Hashable {
  private enum Storage: Hashable {
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
  }

  private let storage: Storage

  private init(_ storage: Storage) { self.storage = storage }

  /// Makes a scalar of any value, if it is one.
  ///
  /// - Parameter value: A `Bool`, a `String`, or a number that an `Int` or a finite `Double` holds; anything else gives
  ///   nil.
  public init?(_ value: Any) {
    switch value {
    case let scalar as KVBindingScalar: self = scalar
    case let truth as Bool where type(of: value) == Bool.self: self.init(.bool(truth))
    case let text as any StringProtocol: self.init(.text(String(text)))
    case let integer as any BinaryInteger:
      if let small = Int(exactly: integer) { self.init(.integer(small)) } else { self.init(finite: Double(integer)) }
    case let number as any BinaryFloatingPoint: self.init(finite: Double(number))
    default: return nil
    }
  }

  private init?(finite number: Double) {
    guard number.isFinite else { return nil }
    let isNegativeZero = number == 0 && number.sign == .minus
    self.init(isNegativeZero ? .number(number) : Int(exactly: number).map { .integer($0) } ?? .number(number))
  }

  /// The value: a `Bool`, an `Int`, a `Double` or a `String`.
  public var value: any Sendable {
    switch storage {
    case .bool(let truth): truth
    case .integer(let integer): integer
    case .number(let number): number
    case .text(let text): text
    }
  }

  var text: String? { if case .text(let text) = storage { text } else { nil } }
}

extension KVBindingScalar: CustomStringConvertible {
  /// The value, a text in quotes.
  public var description: String { KVChange.text(value) }
}

extension KVBindingScalar: ExpressibleByStringLiteral {
  /// Makes a scalar of a literal.
  ///
  /// - Parameter value: The text.
  public init(stringLiteral value: String) { self.init(.text(value)) }
}

extension KVBindingScalar: ExpressibleByIntegerLiteral {
  /// Makes a scalar of a literal.
  ///
  /// - Parameter value: The integer.
  public init(integerLiteral value: Int) { self.init(.integer(value)) }
}

extension KVBindingScalar: ExpressibleByFloatLiteral {
  /// Makes a scalar of a literal.
  ///
  /// - Parameter value: The number; one that is too large for a `Double` is a mistake of the programmer, and traps.
  public init(floatLiteral value: Double) {
    guard let scalar = KVBindingScalar(value) else { preconditionFailure("\(value) is no number that files can hold.") }
    self = scalar
  }
}

extension KVBindingScalar: ExpressibleByBooleanLiteral {
  /// Makes a scalar of a literal.
  ///
  /// - Parameter value: The truth value.
  public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}

extension KVBindingScalar: Codable {
  /// Decodes the bare value.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: What the decoder throws if the value is none of those that a scalar can be.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let truth = try? container.decode(Bool.self) {
      self.init(.bool(truth))
    } else if let integer = try? container.decode(Int.self) {
      self.init(.integer(integer))
    } else if let scalar = (try? container.decode(Double.self)).flatMap({ KVBindingScalar($0) }) {
      self = scalar
    } else {
      self.init(.text(try container.decode(String.self)))
    }
  }

  /// Encodes the bare value.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    switch storage {
    case .bool(let truth): try truth.encode(to: encoder)
    case .integer(let integer): try integer.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .text(let text): try text.encode(to: encoder)
    }
  }
}
