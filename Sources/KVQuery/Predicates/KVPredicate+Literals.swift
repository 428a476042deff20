import KVCore

extension KVPredicate {
  /// The parts of a literal: `\(value)` is a value, `\(key: path)` a key path (FLT.12).
  public struct StringInterpolation: StringInterpolationProtocol, Sendable {
    private(set) var bytes: [UInt8] = []
    private var parts: [Part] = []

    private enum Part: Sendable {
      case value((any Sendable)?)
      case keyPath(KVKeyPath)
    }

    var arguments: [PredicateArguments.Argument] {
      parts.map { part in
        switch part {
        case .value(let value): .value(value)
        case .keyPath(let path): .keyPath(path)
        }
      }
    }

    /// Creates an empty interpolation.
    ///
    /// - Parameters:
    ///   - literalCapacity: The size of the text.
    ///   - interpolationCount: The number of arguments.
    public init(literalCapacity: Int, interpolationCount: Int) {
      bytes.reserveCapacity(literalCapacity + interpolationCount)
    }

    /// Appends text of the format.
    ///
    /// - Parameter literal: The text.
    public mutating func appendLiteral(_ literal: String) { bytes += Array(literal.utf8) }

    /// Appends a value, which is not parsed.
    ///
    /// - Parameter value: Any value, or nil.
    public mutating func appendInterpolation(_ value: (any Sendable)?) {
      bytes.append(PredicateLexer.marker)
      parts.append(.value(value))
    }

    /// Appends a key path.
    ///
    /// - Parameter key: The key path.
    public mutating func appendInterpolation(key: KVKeyPath) {
      bytes.append(PredicateLexer.marker)
      parts.append(.keyPath(key))
    }
  }

  /// Creates a predicate from a literal; a malformed one traps with the sentence of the parser (KP.6, FLT.14).
  ///
  /// - Parameter value: The literal.
  public init(stringLiteral value: String) { self.init(literal: Array(value.utf8), []) }

  /// Creates a predicate from a literal with arguments; a malformed one traps with the sentence of the parser.
  ///
  /// - Parameter interpolation: The parts.
  public init(stringInterpolation interpolation: StringInterpolation) {
    self.init(literal: interpolation.bytes, interpolation.arguments)
  }

  private init(literal bytes: [UInt8], _ arguments: [PredicateArguments.Argument]) {
    do throws(KVError) { self.init(try PredicateParser.predicate(bytes, arguments)) } catch {
      fatalError(
        """
        \(error.message) It is the text of a literal of type KVPredicate: search for it in the program, or see the caller \
        in the backtrace. A format that is known at run time only is parsed by KVPredicate(format:), which throws.
        """)
    }
  }
}

extension KVPredicate {
  package static var textInitializer: String { "KVPredicate(format:)" }
}
