import Dispatch
import Foundation
import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.23, DEP.2, BND.6: chains through thousands of objects, on small stacks")
struct DeepChainTests {
  static let length = 5_000

  /// Calls a function with a chain of objects, on a thread with a stack of 512 KB.
  ///
  /// The chain is taken apart on the way back: Swift itself releases a linked list by recursion.
  private func onSmallStack(_ body: @escaping @Sendable ([Link]) -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      let links = (0..<Self.length).map { _ in Link() }
      for index in 1..<links.count { links[index - 1].next = links[index] }
      body(links)
      for link in links { link.next = nil }
      done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
  }

  @Test("DEP.2: keys that depend on each other through thousands of objects are observed, notify once, and end")
  func dependentKeys() {
    onSmallStack { links in
      var calls = 0
      let token = try? links[0].observe("total") { _ in calls += 1 }
      links[Self.length - 1].value = 1
      links[Self.length / 2].value = 1
      #expect(calls == 2)
      links[10].next = nil
      #expect(calls == 3)
      links[Self.length - 1].value = 2
      #expect(calls == 3)
      token?.cancel()
      #expect(KVDiagnostics.observations(of: links[5]).isEmpty)
    }
  }

  @Test("DEP.2: the same through the elements of collections")
  func operators() {
    onSmallStack { links in
      for index in 1..<links.count { links[index - 1].children = [links[index]] }
      var calls = 0
      let token = try? links[0].observe("sum") { _ in calls += 1 }
      links[Self.length - 1].value = 1
      #expect(calls == 1)
      token?.cancel()
      for link in links { link.children = [] }
    }
  }

  @Test("KVO.18, KVC.18: a collection that becomes nested too deeply is reported, not followed")
  func deepData() throws {
    let person = Villager("Ada")
    person.anything = [[Any]]()
    var calls = 0
    let token = try person.observe("anything.@unionOfArrays.self.name", options: []) { _ in calls += 1 }
    var nest: Any = [person]
    for _ in 0..<3_000 { nest = [nest] }
    let events = capturingEvents(level: .error) { person.anything = nest }.about(person)
    #expect(calls == 1 && !events.isEmpty && events.allSatisfy { $0.message.contains("nested more than") })
    token.cancel()
    person.anything = nil
  }

  @Test("KVO.23: handlers of different objects nest until the stack is nearly used up; one error names the lost change")
  func handlers() {
    let events = capturingEvents(level: .error) {
      onSmallStack { links in
        var tokens: [KVObservation] = []
        for index in 1..<links.count {
          let next = links[index]
          let token = try? links[index - 1].observe("value", handler: { (_: KVChange) in next.value += 1 })
          if let token { tokens.append(token) }
        }
        links[0].value = 1
        let reached = links.count { $0.value == 1 }
        #expect(reached > 10 && reached < links.count)
        links[Self.length - 10].value = 7
        #expect(links[Self.length - 1].value == 1)
        tokens.forEach { $0.cancel() }
      }
    }.filter { $0.topic == .endlessChange && $0.message.contains("\"value\" of Link") }
    #expect(events.count == 1 && events.first?.message.contains("is not delivered") == true)
  }

  @Test("KVO.23: the same with prior notifications")
  func priorHandlers() {
    let events = capturingEvents(level: .error) {
      onSmallStack { links in
        var tokens: [KVObservation] = []
        for index in 1..<links.count {
          let next = links[index]
          let token = try? links[index - 1].observe("value", options: [.prior, .old, .new]) { change in
            if !change.isPrior { next.value += 1 }
          }
          if let token { tokens.append(token) }
        }
        links[0].value = 1
        tokens.forEach { $0.cancel() }
      }
    }.filter { $0.topic == .endlessChange && $0.message.contains("\"value\" of Link") }
    #expect(events.count == 1)
  }

  @Test("BND.6: a chain of thousands of bindings propagates completely, one-way, two-way and by a function")
  func bindings() {
    onSmallStack { links in
      for options in [KVBindingOptions.oneWay, .twoWay] {
        let bindings = (1..<links.count).map { index in
          try? links[index].bind("value", to: "value", of: links[index - 1], options: options)
        }
        links[0].value += 7
        #expect(links[Self.length - 1].value == links[0].value)
        if options.direction == .twoWay {
          links[Self.length - 1].value = 3
          #expect(links[0].value == 3)
        }
        for binding in bindings { binding?.cancel() }
      }
      let bindings = (1..<links.count).map { index in
        try? links[index].bind("value", to: "value", of: links[index - 1]) { (value: Int) in value + 1 }
      }
      links[0].value = 0
      #expect(links[Self.length - 1].value == Self.length - 1)
      for binding in bindings { binding?.cancel() }
    }
  }
}

private final class Link: KVObject {
  @KVProperty var value = 0
  @KVProperty var next: Link?
  @KVProperty var children: [Link] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Link.self) { key in
      key("value", \.value)
      key("next", \.next)
      key("children", \.children)
      // It does not read the next object: the recursion of such a getter would be that of the model.
      key("total", \.total).affected(by: "value", "next.total")
      key("sum") { $0.value }.affected(by: "value", "children.@sum.sum")
    }
  }

  var total: Int { value }
}
