import KVCore

/// The arguments of a format, which its specifiers or interpolations consume in order (FLT.12).
struct PredicateArguments {
  enum Argument {
    case value((any Sendable)?)
    case keyPath(KVKeyPath)

    /// Returns the token for a specifier.
    func token(
      for letter: UInt8, number: Int, fault: (String) -> KVError
    ) throws(KVError) -> PredicateLexer.Token {
      switch (self, letter) {
      case (.keyPath(let path), UInt8(ascii: "K")), (.keyPath(let path), UInt8(ascii: "@")): return .keyPath(path)
      case (.keyPath, _): throw fault("expected a number as argument \(number)")
      case (.value(let value), UInt8(ascii: "K")):
        if let path = value as? KVKeyPath { return .keyPath(path) }
        guard let text = value as? String else { throw fault("expected a key path as argument \(number), for %K") }
        return .keyPath(try KVKeyPath(text))
      case (.value(let value), UInt8(ascii: "@")): return .value(value)
      case (.value(let value), UInt8(ascii: "s")), (.value(let value), UInt8(ascii: "S")),
        (.value(let value), UInt8(ascii: "c")):
        guard value is String else { throw fault("expected a text as argument \(number)") }
        return .value(value)
      case (.value(let value), _):
        guard let value, AnyNumber(of: value) != nil else { throw fault("expected a number as argument \(number)") }
        return .value(value)
      }
    }
  }

  private let arguments: [Argument]
  private(set) var used = 0

  init(_ arguments: [Argument]) { self.arguments = arguments }

  mutating func next() -> Argument? {
    guard used < arguments.count else { return nil }
    used += 1
    return arguments[used - 1]
  }

  /// Throws if arguments are left at the end of a format.
  func checkAllAreUsed(_ lexer: PredicateLexer) throws(KVError) {
    guard used < arguments.count else { return }
    let count = arguments.count == 1 ? "there is 1 argument" : "there are \(arguments.count) arguments"
    let hint = lexer.bytes.contains(UInt8(ascii: "%")) ? ", and a specifier in quotes is text" : ""
    throw lexer.fault("expected a specifier for argument \(used + 1): \(count)\(hint)", at: lexer.bytes.count)
  }
}
