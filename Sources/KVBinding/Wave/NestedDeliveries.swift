import KVCore

/// The deliveries of a thread that were caused by another delivery of the same key, which handlers can nest without end
/// (KVO.23).
struct NestedDeliveries {
  static let limit = 1000
  private var levels: [(key: InternedKey, type: AnyClass, weight: Int)] = []
  /// The sum of the weights of all levels.
  private var depth = 0
  /// Whether the limit was reached, so that nothing is delivered until the outermost level has ended.
  private var isStopped = false

  private enum Outcome {
    case begun
    case stopped
    /// The limit is reached; the keys of all levels.
    case exhausted([String])
  }

  /// Begins a level on this thread; reports an error if there are too many.
  ///
  /// - Parameters:
  ///   - key: The key that changes.
  ///   - type: The class of its object.
  ///   - id: The identity of its object.
  ///   - isPending: Whether the level has a ``ChangeRun``, which counts as two: it needs twice the stack.
  /// - Returns: Whether the level was begun, so that ``end()`` must follow.
  static func begin(_ key: InternedKey, of type: AnyClass, _ id: ObjectIdentifier, isPending: Bool) -> Bool {
    // Outside of the access, since the handler of the diagnostics may change a key.
    let outcome = ThreadDeliveries.current.borrow {
      $0.nested.begin(key, type, weight: isPending ? 2 : 1)
    }
    switch outcome {
    case .begun: return true
    case .stopped: break
    case .exhausted([]): reportExhaustedStack(key, of: type, id)
    case .exhausted(let keys):
      if KVDiagnostics.isReported(.error) {
        KVDiagnostics.report(always: .error, .endlessChange, KVKeyPath(singleKey: key.name), id: id) {
          "\(error(keys))"
        }
      }
    }
    return false
  }

  /// Reports that a change is not delivered, because the handlers of other keys have nested until the end of the stack.
  static func reportExhaustedStack(_ key: InternedKey, of type: AnyClass, _ id: ObjectIdentifier) {
    guard KVDiagnostics.isReported(.error) else { return }
    let error = KVError(
      .limitExceeded,
      """
      a change of "\(key)" of \(type) is not delivered: handlers have made changes one inside the other until the stack \
      of the thread was nearly used up. Make the changes one after the other, or on a thread with a larger stack.
      """)
    KVDiagnostics.report(always: .error, .endlessChange, KVKeyPath(singleKey: key.name), id: id) { "\(error)" }
  }

  /// Ends the innermost level.
  static func end() { ThreadDeliveries.current.borrow { $0.nested.end() } }

  private static func error(_ keys: [String]) -> KVError {
    KVError(
      .doesNotSettle,
      """
      handlers change \(keys.joined(separator: " and ")) without end: changes nested \(limit) deep are not delivered. Let \
      a handler set a key only if its value differs.
      """)
  }

  private mutating func begin(_ key: InternedKey, _ type: AnyClass, weight: Int) -> Outcome {
    if isStopped { return .stopped }
    guard depth < Self.limit, DeliveryStack.isLeft else {
      // Without a level, which other code than handlers has left no room for, no end would come that starts again.
      isStopped = !levels.isEmpty
      var known: Set<String> = []
      let names = levels.map { "\"\($0.key)\" of \($0.type)" }.filter { known.insert($0).inserted }
      return .exhausted(Array(names.prefix(10)))
    }
    levels.append((key, type, weight))
    depth += weight
    return .begun
  }

  private mutating func end() {
    depth -= levels.removeLast().weight
    if levels.isEmpty { isStopped = false }
  }
}
