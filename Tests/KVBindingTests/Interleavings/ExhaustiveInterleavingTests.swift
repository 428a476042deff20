import Foundation
import KVBinding
import KVCore
import Testing

/// Every order of operations on a small graph, compared with a model that shares no code with the library.
///
/// `KV_INTERLEAVINGS=8 swift test -c release -Xswiftc -enable-testing --filter Interleaving` goes to depth 8.
@Suite("LIF.1, KVO.6, COA.5, BND.8 every order of operations", .serialized)
struct ExhaustiveInterleavingTests {
  /// The depth is 8 with `KV_INTERLEAVINGS=8`.
  static let depth = ProcessInfo.processInfo.environment["KV_INTERLEAVINGS"].flatMap { Int($0) }

  /// The operations: three kinds of registrations, and everything that is done to them and to their objects.
  static let moves: [InterleavingMove] = [
    .register(InterleavingKind()),
    .register(InterleavingKind(hasOwner: true, isCoalesced: true, isDistinct: true)),
    .register(InterleavingKind(path: .label, isCoalesced: true, hasPrior: true)),
    .change, .replaceMiddle, .dropRoot, .dropOwner, .begin, .commit, .bindTwoWay, .unbind,
  ]

  /// What the first alphabet leaves out.
  static let others: [InterleavingMove] = [
    .register(InterleavingKind(hasInitial: true)),
    .register(InterleavingKind(path: .text, isCoalesced: true)),
    .register(InterleavingKind(path: .label, hasOwner: true, isDistinct: true)),
    .change, .changeEqually, .changeBack, .changeRoot, .changeText, .removeMiddle, .replaceMiddle, .dropRoot,
    .dropOwner, .begin, .commit, .bindOneWay, .bindTwoWay, .unbind,
  ]

  @Test(
    "KVO.8, KVO.11, DEP.2, LIF.4, COA.3, COA.7, BND.4, DIA.2 notified, listed and alive is what the rules say",
    arguments: [0, 1], [true, false])
  func everyOrder(alphabet: Int, isOwnerView: Bool) {
    let moves = [Self.moves, Self.others][alphabet]
    let depth = Self.depth ?? 4 - alphabet
    let start = ContinuousClock.now
    let (counts, failure) = InterleavingEnumeration(moves: moves, isOwnerView: isOwnerView).run(depth: depth) {
      sequence in
      let world = InterleavingWorld(isOwnerView: isOwnerView)
      for (index, move) in sequence.enumerated() {
        // What came before was compared when it was the end of a sequence; a plain owner's death is noticed by listing.
        if let fault = world.make(move, isChecked: !isOwnerView || index == sequence.count - 1) {
          _ = world.faultOfDropping()
          return fault
        }
      }
      return world.faultOfDropping()
    }
    print(
      """
      Interleavings to depth \(depth), \(moves.count) operations without those on tokens, the owner is \
      \(isOwnerView ? "a KVObject" : "no KVObject"): \(counts.states) states, \(counts.sequences) sequences for \
      \(counts.represented), \(ContinuousClock.now - start)
      """)
    if let failure { Issue.record("\(failure.fault)\n\(InterleavingScript(failure.moves))") }
    #expect(failure != nil || counts.sequences > 1_000)
  }
}
