import Synchronization

/// Insists that a key of an isolated class is used on the actor that the class belongs to (THR.3).
@usableFromInline
final class IsolationCheck: Sendable {
  private let actor: any Actor
  private let key: String
  private let isFirst = Atomic(true)

  @usableFromInline
  init(_ actor: any Actor, _ key: String) {
    self.actor = actor
    self.key = key
  }

  /// Ends the program off the actor: with a sentence at the first use of the key, as the runtime does it at later ones.
  ///
  /// The runtime of some platforms says nothing as it ends a program for the main actor. What asks it without ending the
  /// program costs too much to be done each time.
  @usableFromInline
  func insist() {
    if isFirst.load(ordering: .relaxed), isFirst.exchange(false, ordering: .relaxed), isElsewhere {
      fatalError(sentence)
    }
    actor.preconditionIsolated(sentence)
  }

  private var sentence: String {
    """
    The key "\(key)" belongs to a class of the global actor \(typeName(type(of: actor))), and was used off it. \
    Use the object on its actor only.
    """
  }

  /// Whether this does not run on the actor, as far as the runtime can tell.
  private var isElsewhere: Bool {
    #if compiler(>=6.2)
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { return !runsOnActor() }
    #endif
    return false
  }

  #if compiler(>=6.2)
    /// A task that begins at once if it can runs within its call, so on this thread, on its actor only.
    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    private func runsOnActor() -> Bool {
      final class Trace: Sendable {
        let thread = Atomic<UInt>(0)
      }
      func leaveTrace(_ actor: isolated any Actor) -> Trace {
        let trace = Trace()
        Task.immediate {
          _ = actor
          trace.thread.store(currentThread(), ordering: .relaxed)
        }
        return trace
      }
      let trace = unsafeBitCast(leaveTrace as (isolated any Actor) -> Trace, to: ((any Actor) -> Trace).self)(actor)
      return trace.thread.load(ordering: .relaxed) == currentThread()
    }
  #endif
}

/// Returns an access function that insists on an actor, if there is one to insist on.
@usableFromInline
func guarded(_ access: @escaping AccessFunction, by check: IsolationCheck?) -> AccessFunction {
  guard let check else { return access }
  return { object, address, memory in
    check.insist()
    access(object, address, memory)
  }
}

/// Returns a function that insists on an actor, if there is one to insist on.
@usableFromInline
func guarded(_ modify: ModifyFunction?, by check: IsolationCheck?) -> ModifyFunction? {
  guard let check, let modify else { return modify }
  return { object, edit in
    check.insist()
    modify(object, edit)
  }
}
