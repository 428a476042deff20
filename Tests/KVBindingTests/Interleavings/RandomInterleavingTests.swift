import KVBinding
import KVCore
import TestModels
import Testing

/// Long random orders of operations, compared with the model after each of them.
@Suite("LIF.1, KVO.6, COA.5, BND.8: random orders of operations")
struct RandomInterleavingTests {
  @Test("KVO.11, DEP.2, LIF.2, LIF.4, COA.3, COA.6, COA.7, BND.4: up to 200 operations", arguments: 1...8)
  func randomOrder(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    for round in 0..<(ExhaustiveInterleavingTests.depth == nil ? 12 : 5_000) {
      let isOwnerView = round % 2 == 0
      let moves = Self.moves(&random, length: 20 + random.below(181), isOwnerView: isOwnerView)
      guard let failed = InterleavingScript.run(moves, isOwnerView: isOwnerView) else { continue }
      let shortest = InterleavingScript.shortened(failed.moves, isOwnerView: isOwnerView)
      let fault = InterleavingScript.run(shortest, isOwnerView: isOwnerView)?.fault ?? failed.fault
      let found = "seed \(seed), round \(round), the owner is the view: \(isOwnerView)"
      Issue.record("\(found): \(fault)\n\(InterleavingScript(shortest))")
      return
    }
  }

  /// Operations that are possible one after the other.
  static func moves(_ random: inout SplitMix64, length: Int, isOwnerView: Bool) -> [InterleavingMove] {
    var model = InterleavingModel(isOwnerView: isOwnerView)
    // The ends of the root and of the owner are rare, since little happens after them.
    return (0..<length).compactMap { position in
      let move = move(&random, model.registrations.count, mayEnd: position > length / 2)
      guard model.isPossible(move) else { return nil }
      model.make(move)
      return move
    }
  }

  static func move(_ random: inout SplitMix64, _ count: Int, mayEnd: Bool) -> InterleavingMove {
    let index = count == 0 ? 0 : random.below(count)
    switch random.below(mayEnd ? 26 : 25) {
    case 0 where count < 10, 1 where count < 10, 2 where count < 10:
      return .register(InterleavingKind.all[random.below(96)])
    case 3, 4, 5: return .change
    case 6: return .changeEqually
    case 7: return .changeBack
    case 8: return .changeRoot
    case 9, 10: return .changeText
    case 11, 12: return .replaceMiddle
    case 13: return .removeMiddle
    case 14: return .cancel(index)
    case 15: return .drop(index)
    case 16, 17: return .pause(index)
    case 18, 19: return .resume(index)
    case 20: return .begin
    case 21: return .commit
    case 22: return .bindOneWay
    case 23: return .bindTwoWay
    case 24: return .unbind
    default: return random.below(8) > 0 ? .changeText : random.below(2) == 0 ? .dropRoot : .dropOwner
    }
  }
}
