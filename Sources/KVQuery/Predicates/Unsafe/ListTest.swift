import KVCore

/// AND or OR: evaluates parts until one decides.
final class ListTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let parts: [PredicateProgram]
  /// The parts, which need not be retained for a call.
  private let borrowed: [_KVReference<PredicateProgram>]
  /// The result that ends the evaluation: false for AND, true for OR.
  private let decisive: Bool

  init(_ parts: [PredicateProgram], decisive: Bool) {
    self.parts = parts
    borrowed = parts.map { _KVReference($0) }
    self.decisive = decisive
  }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool {
    try test { part throws(KVError) in try part.test(frame) }
  }

  override func test(object: AnyObject) throws(KVError) -> Bool {
    try test { part throws(KVError) in try part.test(object: object) }
  }

  @inline(__always)
  private func test(_ body: (PredicateProgram) throws(KVError) -> Bool) throws(KVError) -> Bool {
    var failure: KVError?
    for part in borrowed {
      // The function that borrows rethrows any error.
      let isDecided = part.borrow { part in
        do throws(KVError) { return try body(part) == decisive } catch {
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
