extension KVError {
  /// What an error says, which most errors that are caught are never asked for: it may be made at the first request.
  final class Words: Sendable {
    struct Made: Sendable {
      let message: String
      let knownKeys: [String]
      let suggestion: String?
    }

    private let known: Locked<Made?>
    private let make: @Sendable () -> Made

    init(_ words: Made) {
      known = Locked(words)
      make = { words }
    }

    /// - Parameter make: Makes the words; it may be called more than once, on any thread.
    init(making make: @escaping @Sendable () -> Made) {
      known = Locked(nil)
      self.make = make
    }

    var made: Made {
      if let made = known.withLock({ $0 }) { return made }
      let made = make()
      known.withLock { $0 = made }
      return made
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
