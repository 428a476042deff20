import Dispatch
import KVTestSupport
import Testing

@Suite("TST.2: bindings")
struct ExpectBindingsTests {
  private let till = Till()
  private let other = Till()

  // MARK: Consistency

  @Test("TST.2: endpoints that agree through the transformer pass, whichever direction values take")
  func consistent() throws {
    let half = KVTransformer(forward: { (whole: Int) in whole / 2 }, reverse: { (half: Int) in half * 2 })
    till.number = 8
    let forward = try KVPathBinding(
      from: till, "number", to: other, "number", options: .init(.twoWay, transformer: half))
    expectConsistent(forward)
    other.number = 7
    #expect(till.number == 14)
    expectConsistent(bindingsOf: other)
    let back = try KVPathBinding(from: till, "label", to: other, "label", options: .toSource)
    other.label = "x"
    expectConsistent(forward, back)
    let shown = try KVPathBinding(
      from: till, "next.label", to: other, "tags", options: .init(fallback: Set(["none"])))
    #expect(shown.state == .unresolved)
    expectConsistent(shown)
  }

  @Test("TST.2: ends that do not agree are listed in one failure, with both values")
  func inconsistent() throws {
    let forward = try KVPathBinding(
      from: till, "number", to: other, "number", options: .init(.twoWay, initialSync: .none, trigger: .explicit))
    let line = #line - 2
    till.number = 5
    let failures = KVFailureReporter.capturing { expectConsistent(forward) }
    #expect(
      failures.map(\.message) == [
        """
        A binding is not consistent:
        Till.number ⇄ Till.number [active] (KVTestSupportTests/ExpectBindingsTests.swift:\(line))
          Till.number is 1, but Till.number comes to 5.
        """
      ])
    #expect(failures.first?.location.line == #line - 9)
    let lossy = KVTransformer(forward: { (whole: Int) in whole / 2 }, reverse: { (half: Int) in half * 2 })
    let odd = try KVPathBinding(from: till, "number", to: other, "number", options: .init(.twoWay, transformer: lossy))
    #expect(
      messages { expectConsistent(bindingsOf: till) }.first?.contains(
        "\n  Till.number is 5, but Till.number comes to 4 on the way back.") == true)
    odd.cancel()
    #expect(
      messages { expectConsistent(odd) }.first?.hasSuffix("it has ended, and keeps nothing in step any more.") == true)
  }

  @Test("TST.2: a binding that failed, or leads nowhere, is not consistent, nor is an object without bindings")
  func troubled() throws {
    #expect(messages { expectConsistent(bindingsOf: till) } == ["Till has no bindings, so nothing keeps it in step."])
    let binding = try KVPathBinding(from: till, "label", to: other, "number", options: .init(initialSync: .none))
    till.label = "many"
    #expect(messages { expectConsistent(binding) }.first?.contains("its last change was not propagated: ") == true)
    let nowhere = try KVPathBinding(from: till, "next.number", to: other, "label")
    #expect(
      messages { expectConsistent(nowhere) }.first?.hasSuffix(
        "Till.next.number leads nowhere: a nil stands in the middle of the path.") == true)
    let edited = try KVPathBinding(from: till, "tags", to: other, "tags", options: .init(.twoWay, trigger: .onCommit))
    other.tags = ["z"]
    #expect(messages { expectConsistent(edited) }.first?.hasSuffix(" waits for its commit().") == true)
  }

  // MARK: Errors

  @Test("TST.2: failures of bindings in the body are one failure of the test, at the caller's line")
  func errors() throws {
    let binding = try KVPathBinding(from: till, "label", to: other, "number", options: .init(initialSync: .none))
    let line = #line - 1
    let plain = try KVPathBinding(from: till, "number", to: other, "next.number", options: .init(initialSync: .none))
    #expect(
      expectNoBindingErrors {
        till.number = 5
        return "result"
      } == "result")
    #expect(plain.state == .unresolved)
    let failures = KVFailureReporter.capturing {
      expectNoBindingErrors {
        till.label = "many"
        till.label = "more"
      }
    }
    #expect(failures.map(\.location.line) == [#line - 5])
    #expect(
      failures.first?.message.hasPrefix(
        """
        Bindings failed 2 times:
        Till.label → Till.number [failed: \(binding.lastError.map { "\($0)".replacing("more", with: "many") } ?? "")] \
        (KVTestSupportTests/ExpectBindingsTests.swift:\(line))
        """) == true)
  }

  @Test("TST.2: scopes that run at the same time do not receive each other's failures")
  func scopes() async throws {
    let binding = try KVPathBinding(from: till, "label", to: other, "number", options: .init(initialSync: .none))
    let shared = KVUncheckedSendable(till)
    let failures = await KVFailureReporter.capturing {
      await expectNoBindingErrors { await Task.detached { shared.value.label = "many" }.value }
    }
    #expect(failures.isEmpty)
    let received = await KVFailureReporter.capturing {
      await expectNoBindingErrors {
        await withTaskGroup(of: Void.self) { group in group.addTask { shared.value.label = "more" } }
      }
      await expectNoBindingErrors(of: other) { await Task.detached { shared.value.label = "most" }.value }
      expectNoBindingErrors(of: Till()) { till.label = "much" }
    }
    #expect(received.map(\.location.line) == [#line - 6, #line - 3])
    withExtendedLifetime(binding) {}
  }

  @Test("TST.2: the inner of two scopes and the outer one both receive failures")
  func nesting() throws {
    let binding = try KVPathBinding(from: till, "label", to: other, "number", options: .init(initialSync: .none))
    #expect(messages { expectNoBindingErrors { expectNoBindingErrors { till.label = "many" } } }.count == 2)
    withExtendedLifetime(binding) {}
  }
}
