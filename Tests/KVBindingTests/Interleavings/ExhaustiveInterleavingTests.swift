import Foundation
import KVBinding
import KVCore
import Testing

/// Every order of operations on a small graph, compared with a model that shares no code with the library.
///
/// `KV_INTERLEAVINGS=8 swift test -c release -Xswiftc -enable-testing --filter Interleaving` goes to depth 8, and with
/// `KV_HISTORIES=6` to depth 6 without merging what leads to one state.
@Suite("LIF.1, KVO.6, COA.5, BND.8: every order of operations", .serialized)
struct ExhaustiveInterleavingTests {
  /// The depth is 8 with `KV_INTERLEAVINGS=8`.
  static let depth = ProcessInfo.processInfo.environment["KV_INTERLEAVINGS"].flatMap { Int($0) }

  /// The depth to which every sequence is run, without merging any.
  static let historyDepth = ProcessInfo.processInfo.environment["KV_HISTORIES"].flatMap { Int($0) }

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
    "KVO.8, KVO.11, DEP.2, LIF.4, COA.3, COA.7, BND.4, DIA.2: notified, listed and alive is what the rules say",
    arguments: [0, 1], [true, false])
  func everyOrder(alphabet: Int, isOwnerView: Bool) {
    check(alphabet, isOwnerView: isOwnerView, depth: Self.depth ?? 4 - alphabet, isMerging: true)
  }

  @Test(
    "KVO.8, KVO.11, DEP.2, LIF.4, COA.3, COA.7, BND.4, DIA.2: whatever came before, a state behaves as the rules say",
    arguments: [0, 1], [true, false])
  func everyHistory(alphabet: Int, isOwnerView: Bool) {
    check(alphabet, isOwnerView: isOwnerView, depth: Self.historyDepth ?? 3, isMerging: false)
  }

  /// If a state of two were not one, another number of sequences would follow from it.
  @Test("KVO.8: merged states stand for as many sequences as there are", arguments: [0, 1], [true, false])
  func merging(alphabet: Int, isOwnerView: Bool) {
    let moves = [Self.moves, Self.others][alphabet]
    let counts = [true, false].map { isMerging in
      let enumeration = InterleavingEnumeration(moves: moves, isOwnerView: isOwnerView, isMerging: isMerging)
      return enumeration.run(depth: 4) { _ in nil }.counts
    }
    #expect(counts[0].represented == counts[1].represented)
    #expect(counts[0].sequences < counts[1].sequences)
  }

  private func check(_ alphabet: Int, isOwnerView: Bool, depth: Int, isMerging: Bool) {
    let moves = [Self.moves, Self.others][alphabet]
    let start = ContinuousClock.now
    let enumeration = InterleavingEnumeration(moves: moves, isOwnerView: isOwnerView, isMerging: isMerging)
    let (counts, failure) = enumeration.run(depth: depth) { sequence in
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
      \(isOwnerView ? "a KVObject" : "no KVObject"), \(isMerging ? "merged" : "all"): \(counts.states) states, \
      \(counts.sequences) sequences for \(Int(counts.represented)), \(ContinuousClock.now - start)
      """)
    if let failure { Issue.record("\(failure.fault)\n\(InterleavingScript(failure.moves))") }
    #expect(failure != nil || counts.sequences > 100)
  }
}
