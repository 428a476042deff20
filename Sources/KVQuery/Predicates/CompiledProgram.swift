import KVCore

/// The program of a predicate or an expression, made at the first evaluation.
final class CompiledProgram<Program: Sendable>: Sendable {
  private let program = Locked<Program?>(nil)

  /// Returns the program, which a function makes once.
  func made(by make: () throws(KVError) -> Program) throws(KVError) -> Program {
    if let known = program.withLock({ $0 }) { return known }
    // A failure is not kept: a function may be registered later.
    let made = try make()
    program.withLock { $0 = made }
    return made
  }
}
