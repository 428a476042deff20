/// AND or OR: evaluates parts until one decides.
final class ListTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let parts: [PredicateProgram]
  /// The parts, which need not be retained for a call.
  private let borrowed: [_KVReference<PredicateProgram>]
  /// What a part returns that decides.
  private let decisive: Bool

  init(_ parts: [PredicateProgram], decisive: Bool) {
    self.parts = parts
    borrowed = parts.map { _KVReference($0) }
    self.decisive = decisive
  }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool {
    var failure: KVError?
    for part in borrowed {
      // The function that borrows rethrows any error.
      let isDecided = part.borrow { part in
        do throws(KVError) { return try part.test(frame) == decisive } catch {
          failure = error
          return true
        }
      }
      guard isDecided else { continue }
      if let failure { throw failure }
      return decisive
    }
    return !decisive
  }
}
