import Synchronization

/// Checks that the keys of an isolated type are used on its actor (THR.3); one per table.
@usableFromInline
final class IsolationCheck: Sendable {
  private let actor: any Actor
  /// The thread that was last found to run on the actor.
  private let thread = Atomic<UInt>(0)

  init(_ actor: any Actor) { self.actor = actor }

  /// Ends the program off the actor: with a sentence on another thread than before, as the runtime does it on the same.
  ///
  /// The runtime of some platforms says nothing as it ends a program for the main actor. What asks it without ending
  /// the program costs too much to be done each time.
  @usableFromInline
  func preconditionIsolated(_ key: String) {
    if thread.load(ordering: .relaxed) != currentThread() {
      if isOffExecutor { fatalError(sentence(key)) }
      thread.store(currentThread(), ordering: .relaxed)
    }
    actor.preconditionIsolated(sentence(key))
  }

  private func sentence(_ key: String) -> String {
    """
    The key "\(key)" belongs to a type of the global actor \(typeName(type(of: actor))), and was used off it. \
    Use the object on its actor only.
    """
  }

  /// Whether the current thread is known not to run on the actor.
  private var isOffExecutor: Bool {
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
      func recordThread(_ actor: isolated any Actor) -> Trace {
        let trace = Trace()
        Task.immediate {
          _ = actor
          trace.thread.store(currentThread(), ordering: .relaxed)
        }
        return trace
      }
      let plain = withoutIsolation(recordThread as (isolated any Actor) -> Trace, as: ((any Actor) -> Trace).self)
      let trace = plain(actor)
      return trace.thread.load(ordering: .relaxed) == currentThread()
    }
  #endif
}

extension IsolationCheck? {
  /// Returns an access function that first checks for the actor, if there is a check.
  @usableFromInline
  func guarding(_ access: @escaping AccessFunction, _ key: String) -> AccessFunction {
    guard let self else { return access }
    return { object, address, memory in
      self.preconditionIsolated(key)
      access(object, address, memory)
    }
  }

  /// Returns a function that edits in place and first checks for the actor, if there is a check.
  @usableFromInline
  func guarding(_ modify: ModifyFunction?, _ key: String) -> ModifyFunction? {
    guard let self, let modify else { return modify }
    return { object, edit in
      self.preconditionIsolated(key)
      modify(object, edit)
    }
  }
}
