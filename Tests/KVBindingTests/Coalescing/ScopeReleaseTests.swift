import Foundation
import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("COA.6, COA.7: what a scope keeps of registrations that end in it")
struct ScopeReleaseTests {
  /// An observable owner or target.
  final class Owner: KVObject {}

  /// A registration and what keeps it; each closure captures an object.
  private final class World {
    let count = LifeCapture.Count()
    var item: ScopeItem? = ScopeItem()
    var owner: Owner? = Owner()
    var token: KVObservation?
    var calls = 0

    func observe(_ kind: Kind) throws {
      let item = try #require(item)
      let owner = try #require(owner)
      let capture = LifeCapture(count)
      let call = { [weak self] in withExtendedLifetime(capture) { self?.calls += 1 } }
      let options: KVObservingOptions = [.old, .new, .coalesced]
      switch kind {
      case .any: token = try item.observe("name", options: options) { _ in call() }
      case .typed: token = try item.observe("name", as: String.self, options: options) { _ in call() }
      case .path: token = try item.observe("other.name", options: options) { _ in call() }
      case .all: token = try item.observeAll(options: options) { _ in call() }
      case .ownedAny: token = try item.observe("name", options: options, owner: owner) { _, _ in call() }
      case .ownedTyped:
        token = try item.observe("name", as: String.self, options: options, owner: owner) { _, _ in call() }
      case .action:
        let action = KVAction<Owner>("act", perform: { _ in call() })
        token = try item.addTarget(owner, action, forKeyPath: "name", options: .coalesced)
      case .actionWithChange:
        let action = KVAction<Owner>("act", perform: { _, _ in call() })
        token = try item.addTarget(owner, action, forKeyPath: "name", options: .coalesced)
      }
    }

    /// Sets what is observed; the third setting replaces the value of the second one in place.
    func change() {
      for name in ["b", "c", "d"] {
        item?.name = name
        item?.other?.name = name
      }
    }
  }

  enum Kind: CaseIterable {
    case any, typed, path, all, ownedAny, ownedTyped, action, actionWithChange
  }

  enum Ending: CaseIterable {
    case cancelled, dropped, ownerGone, removed, cancelledElsewhere

    func applies(to kind: Kind) -> Bool {
      switch (self, kind) {
      case (.cancelled, _), (.cancelledElsewhere, _): true
      case (.ownerGone, .ownedAny), (.ownerGone, .ownedTyped): true
      case (.ownerGone, .action), (.ownerGone, .actionWithChange): true
      case (.removed, .action), (.removed, .actionWithChange): true
      case (.dropped, .any), (.dropped, .typed), (.dropped, .path), (.dropped, .all): true
      default: false
      }
    }
  }

  private func end(_ world: World, _ ending: Ending) {
    switch ending {
    case .cancelled: world.token?.cancel()
    case .dropped, .ownerGone: break
    case .removed: if let owner = world.owner { world.item?.removeTarget(owner) }
    case .cancelledElsewhere:
      let shared = KVUncheckedSendable(world)
      WorkerThread { shared.value.token?.cancel() }.runToEnd()
    }
    // The token of a registration with an owner keeps the handler, too.
    world.token = nil
    if ending == .ownerGone { world.owner = nil }
  }

  @Test("COA.6: a registration that ends in a scope lets go of its object and of its handler", arguments: Kind.allCases)
  func ends(kind: Kind) throws {
    for ending in Ending.allCases where ending.applies(to: kind) {
      for isLastReferenceFirst in [false, true] where !isLastReferenceFirst || ending != .removed {
        let world = World()
        weak let item = world.item
        world.item?.other = ScopeItem()
        try world.observe(kind)
        KVCoalescing.coalesce {
          world.change()
          if isLastReferenceFirst {
            world.item = nil
            #expect(item != nil, "\(kind) \(ending)")
          }
          end(world, ending)
          #expect(world.count.alive == 0, "\(kind) \(ending)")
          world.item = nil
          #expect(item == nil, "\(kind) \(ending)")
        }
        #expect(world.calls == 0)
      }
    }
  }

  @Test("COA.6, COA.9: the same in the scope of a task, also if another task cancels", arguments: Kind.allCases)
  func tasks(kind: Kind) async throws {
    for ending in Ending.allCases where ending.applies(to: kind) {
      let world = World()
      weak let item = world.item
      world.item?.other = ScopeItem()
      try world.observe(kind)
      await KVCoalescing.coalesce {
        world.change()
        world.item = ending == .removed ? world.item : nil
        await Task.yield()
        #expect(item != nil)
        if ending == .cancelledElsewhere {
          let shared = KVUncheckedSendable(world)
          await Task.detached { shared.value.token?.cancel() }.value
        }
        end(world, ending)
        world.item = nil
        #expect(world.count.alive == 0 && item == nil, "\(kind) \(ending)")
        await Task.yield()
      }
      #expect(world.calls == 0)
    }
  }

  @Test("COA.6, COA.8: the same in a transaction, and in one after the change", arguments: Ending.allCases)
  func transactions(ending: Ending) throws {
    for isBefore in [false, true] where ending.applies(to: .ownedAny) {
      let world = World()
      weak let item = world.item
      try world.observe(.ownedAny)
      KVCoalescing.coalesce {
        if isBefore { world.change() }
        KVTransaction.run {
          world.change()
          world.item = nil
          #expect(item != nil)
          end(world, ending)
          #expect(world.count.alive == 0 && item == nil)
        }
      }
      #expect(world.calls == 0)
    }
  }

  @Test("COA.6: the owner that is not observable: noticed at the next change of another key, or by a listing")
  func plainOwners() throws {
    for isListed in [false, true] {
      let item = ScopeItem()
      let count = LifeCapture.Count()
      var owner: LifeOwner? = LifeOwner()
      let observe = { (owner: LifeOwner) in
        let capture = LifeCapture(count)
        _ = try item.observe("name", options: [.new, .coalesced], owner: owner) { _, _ in
          withExtendedLifetime(capture) {}
        }
      }
      try observe(#require(owner))
      let token = try item.observe("count", options: [.new, .coalesced]) { _ in }
      KVCoalescing.coalesce {
        for name in ["b", "c", "d"] { item.name = name }
        owner = nil
        #expect(count.alive == 1)
        if isListed {
          #expect(KVDiagnostics.observations(of: item).count == 1)
        } else {
          item.count = 1
          item.name = "e"
        }
        #expect(count.alive == 0)
      }
      token.cancel()
    }
  }

  @Test("COA.6: the records of other registrations of the action stay, and so does what is added later")
  func merged() throws {
    let (first, second) = (ScopeItem(), ScopeItem())
    let target = ScopeTarget()
    for item in [first, second] {
      try item.addTarget(target, ScopeTarget.count, forKeyPath: "name", options: .coalesced)
      try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name"], options: .coalesced)
    }
    KVCoalescing.coalesce {
      first.name = "b"
      second.name = "b"
      first.removeTarget(target)
      second.name = "c"
    }
    #expect(target.take() == ["called", "name setting a → c"])
    let again = try first.observe("name", options: [.old, .new, .coalesced]) { _ in target.lines.append("again") }
    KVCoalescing.coalesce {
      for name in ["d", "e", "f"] { first.name = name }
      again.cancel()
      second.name = "d"
    }
    #expect(target.take() == ["called", "name setting c → d"])
  }

  @Test("COA.6: an element that leaves its collection in a scope is let go")
  func elements() throws {
    let item = ScopeItem()
    item.others = [ScopeItem()]
    weak let element = item.others.first
    var calls = 0
    let token = try item.observeElements(of: "others", "name", options: [.new, .coalesced]) { _ in calls += 1 }
    KVCoalescing.coalesce {
      item.others.first?.name = "b"
      item.others = []
      #expect(element == nil)
    }
    #expect(calls == 0)
    token.cancel()
  }

  @Test("COA.6, BND.14: a binding that ends in a scope, and the observers of its state, are let go")
  func bindings() throws {
    let world = World()
    let (item, field) = (try #require(world.item), ScopeItem())
    weak var handle: KVPathBinding?
    var token: KVObservation?
    try world.observe(.typed)
    try KVCoalescing.coalesce {
      var binding: KVPathBinding? = try item.bind("name", to: "name", of: field)
      handle = binding
      token = try binding?.observe("state", options: [.new, .coalesced]) { _ in }
      field.name = "x"
      binding?.cancel()
      binding = nil
      token = nil
      #expect(handle == nil)
      world.token = nil
      #expect(world.count.alive == 0)
    }
    #expect(world.calls == 0 && token == nil)
  }

  @Test("COA.1: what a thread has not committed when it ends is let go")
  func threads() throws {
    let world = World()
    weak let item = world.item
    try world.observe(.ownedAny)
    let shared = KVUncheckedSendable(world)
    let events = capturingEvents(level: .warning) {
      WorkerThread {
        KVCoalescing.begin()
        shared.value.change()
        shared.value.item = nil
      }.runToEnd()
      #expect(item == nil)
    }
    #expect(events.contains { $0.message.contains("ended between KVCoalescing.begin()") })
    #expect(world.calls == 0)
    world.token = nil
    #expect(world.count.alive == 0)
  }

  @Test("COA.7: a scope that opens in the delivery of another one defers anew")
  func reopened() throws {
    let item = ScopeItem()
    var lines: [String] = []
    let token = try item.observe("count", as: Int.self, options: [.old, .new, .coalesced]) { change in
      lines.append("\(change.old ?? -1) → \(change.new ?? -1)")
      guard lines.count == 1 else { return }
      KVCoalescing.coalesce { for count in 10...13 { item.count = count } }
      lines.append("inner")
    }
    KVCoalescing.coalesce { for count in 1...3 { item.count = count } }
    #expect(lines == ["0 → 3", "3 → 13", "inner"])
    token.cancel()
  }
}
