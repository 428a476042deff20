/// A value without a box if it is of one of the common types.
enum Scalar {
  case none
  case bool(Bool)
  case integer(Int)
  case floating(Double)
  case text(String)
  /// Any other value, without optionals around it.
  case other(Any)

  /// Creates a scalar from any value: a number of another type becomes an `Int` or a `Double` if it is one.
  init(_ any: Any?) {
    guard let any else {
      self = .none
      return
    }
    if let value = exactCast(any, Int.self) {
      self = .integer(value)
    } else if let value = exactCast(any, String.self) {
      self = .text(value)
    } else if let value = exactCast(any, Double.self) {
      self = .floating(value)
    } else if let value = exactCast(any, Bool.self) {
      self = .bool(value)
    } else {
      self = Scalar(uncommon: any)
    }
  }

  @inline(never)
  private init(uncommon any: Any) {
    guard let any = unwrappingOptionals(any) else {
      self = .none
      return
    }
    let type = Swift.type(of: any)
    if type == Bool.self, let value = any as? Bool {
      self = .bool(value)
    } else if type == String.self, let value = any as? String {
      self = .text(value)
    } else if TypeTraits.number(type) != nil {
      switch KVNumber(of: any) {
      case .integer(let value)?: self = Int(exactly: value).map { .integer($0) } ?? .other(any)
      case .floating(let value)?: self = .floating(value)
      case .exact?, nil: self = .other(any)
      }
    } else {
      self = .other(any)
    }
  }

  /// The value; nil for nil.
  var any: Any? {
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
  var isNil: Bool { if case .none = self { true } else { false } }

  /// The number; nil for a value that is none.
  var number: KVNumber? {
    switch self {
    case .bool(let value): value.number
    case .integer(let value): .integer(Int128(value))
    case .floating(let value): .floating(value)
    case .other(let value): KVNumber(of: value)
    case .none, .text: nil
    }
  }
}
