import KVBinding
import KVCore
import KVDocuments

/// A value that a file of binding definitions can contain: a Boolean, a number or a text.
///
/// ```swift
/// definition.nullPlaceholder = "–"
/// definition.fallback = 0
/// ```
///
/// Files do not distinguish `1.0` from `1`: a whole number is an integer.
public struct KVBindingScalar: Sendable, Hashable {
  private enum Storage: Hashable {
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
  }

  private let storage: Storage

  private init(_ storage: Storage) { self.storage = storage }

  /// Creates a scalar from any value that can be one.
  ///
  /// - Parameter value: A `Bool`, a `String`, or a number that is representable as an `Int` or a finite `Double`. The
  ///   result is nil for other values.
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
  /// The value; a text is in quotes.
  public var description: String { KVChange.text(value) }
}

extension KVBindingScalar: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral
{
  /// Creates a scalar from a literal.
  ///
  /// - Parameter value: The text.
  public init(stringLiteral value: String) { self.init(.text(value)) }

  /// Creates a scalar from a literal.
  ///
  /// - Parameter value: The integer.
  public init(integerLiteral value: Int) { self.init(.integer(value)) }

  /// Creates a scalar from a literal.
  ///
  /// - Parameter value: The number. One that is too large for a `Double` is a programming error, and traps.
  public init(floatLiteral value: Double) {
    guard let scalar = KVBindingScalar(value) else {
      preconditionFailure("\(value) is not a number that files can hold.")
    }
    self = scalar
  }

  /// Creates a scalar from a literal.
  ///
  /// - Parameter value: The Boolean.
  public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}

extension KVBindingScalar: Codable {
  /// Decodes the bare value.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: The error of the decoder if the value is not one that a scalar can be.
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
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    switch storage {
    case .bool(let truth): try truth.encode(to: encoder)
    case .integer(let integer): try integer.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .text(let text): try text.encode(to: encoder)
    }
  }
}
