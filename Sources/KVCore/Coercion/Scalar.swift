/// A value without a box if it is of one of the common types.
@usableFromInline
package enum Scalar {
  case none
  case bool(Bool)
  case integer(Int)
  case floating(Double)
  case text(String)
  /// Any other value, without optionals around it; indirect, since an `Any` in it would be copied to look at the case.
  indirect case other(Any)

  /// Creates a scalar from any value.
  ///
  /// A number of another type than `Int` and `Double` keeps its type; see ``plain``.
  package init(_ any: Any?) {
    guard let any else {
      self = .none
      return
    }
    self = Scalar(common: any) ?? Scalar(uncommon: any)
  }

  @inline(__always)
  private init?(common any: Any) {
    if let value = exactCast(any, Int.self) {
      self = .integer(value)
    } else if let value = exactCast(any, String.self) {
      self = .text(value)
    } else if let value = exactCast(any, Double.self) {
      self = .floating(value)
    } else if let value = exactCast(any, Bool.self) {
      self = .bool(value)
    } else {
      return nil
    }
  }

  @inline(never)
  private init(uncommon any: Any) {
    guard let any = unwrappingOptionals(any).map(unwrappingExistentials) else {
      self = .none
      return
    }
    self = Scalar(common: any) ?? .other(any)
  }

  /// The value, as an `Int` or a `Double` if it is a number of another type that equals one.
  @inlinable @inline(__always)
  package var plain: Scalar { if case .other(let value) = self { Scalar(number: value) ?? self } else { self } }

  @usableFromInline @inline(never)
  init?(number any: Any) {
    guard TypeTraits.number(Swift.type(of: any)) != nil else { return nil }
    switch AnyNumber(of: any) {
    case .integer(let value)?:
      guard let value = Int(exactly: value) else { return nil }
      self = .integer(value)
    case .floating(let value)?: self = .floating(value)
    case .wide?, .exact?, nil: return nil
    }
  }

  /// The value; nil for nil.
  @inlinable
  package var any: Any? {
    switch self {
    case .none: nil
    case .bool(let value): value
    case .integer(let value): value
    case .floating(let value): value
    case .text(let value): value
    case .other(let value): value
    }
  }

  /// Whether the value is nil.
  @inlinable
  package var isNil: Bool { if case .none = self { true } else { false } }

  /// The number; nil for a value that is none.
  var number: AnyNumber? {
    switch self {
    case .bool(let value): value.number
    case .integer(let value): .integer(Int128(value))
    case .floating(let value): .floating(value)
    case .other(let value): AnyNumber(of: value)
    case .none, .text: nil
    }
  }
}
