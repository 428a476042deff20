extension KVError {
  /// The message of an error, which may be made when it is first read: most caught errors are never printed.
  final class Words: Sendable {
    struct Made: Sendable {
      /// The message, but for the cure.
      var text: String
      /// The last sentence of the message, if a caller may know a better one.
      var cure: String?
      var knownKeys: [String] = []
      var suggestion: String?

      var message: String { cure.map { "\(text) \($0)" } ?? text }
    }

    private enum State: Sendable {
      case made(Made)
      case making(@Sendable () -> Made)
    }

    private let state: Locked<State>

    init(_ words: Made) { state = Locked(.made(words)) }

    /// - Parameter make: Makes the words; it may be called more than once, on any thread.
    init(making make: @escaping @Sendable () -> Made) { state = Locked(.making(make)) }

    var made: Made {
      switch state.withLock({ $0 }) {
      case .made(let made): return made
      case .making(let make):
        let made = make()
        _ = state.exchange(.made(made))
        return made
      }
    }
  }

  /// The name of a type, which is not made before it is asked for.
  enum TypeName: Sendable {
    case made(String)
    case type(Any.Type)

    var text: String {
      switch self {
      case .made(let text): text
      case .type(let type): typeName(type)
      }
    }
  }
}
