import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("COA.9: scopes of tasks")
struct AsyncScopeTests {
  @Test("COA.9: a scope follows its task to other threads, and delivers once, at its end")
  func follows() async throws {
    let counter = AsyncCounter()
    let token = try counter.model.observe("name", options: [.old, .new, .coalesced]) { counter.lines.append(brief($0)) }
    let result = await KVCoalescing.coalesce {
      for number in 0..<50 {
        counter.model.name = "\(number)"
        await Task.yield()
        try? await Task.sleep(nanoseconds: number % 10 == 0 ? 1_000_000 : 0)
      }
      #expect(counter.lines.isEmpty && KVCoalescing.isCoalescing)
      KVCoalescing.coalesce { counter.model.name = "inner" }
      #expect(counter.lines.isEmpty)
      return 5
    }
    #expect(result == 5 && !KVCoalescing.isCoalescing)
    #expect(counter.lines == ["name setting Ada → inner"])
    counter.model.name = "after"
    #expect(counter.lines.last == "name setting inner → after")
    token.cancel()
  }

  @Test("COA.9: a body that throws delivers nevertheless, and its error keeps its type")
  func throwing() async throws {
    let counter = AsyncCounter()
    let token = try counter.model.observe("name", options: [.new, .coalesced]) { counter.lines.append(brief($0)) }
    await #expect(throws: ScopeFailure.self) {
      try await KVCoalescing.coalesce { () async throws(ScopeFailure) in
        counter.model.name = "x"
        await Task.yield()
        throw ScopeFailure()
      }
    }
    #expect(counter.lines == ["name setting nil → x"])
    token.cancel()
  }

  @Test("COA.9: child tasks are not in the scope: their changes are delivered at once")
  func children() async throws {
    let counter = AsyncCounter()
    let token = try counter.model.observe("name", options: [.new, .coalesced]) { counter.lines.append(brief($0)) }
    let shared = KVUncheckedSendable(counter)
    await KVCoalescing.coalesce {
      counter.model.name = "own"
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          shared.value.model.name = "child"
          KVCoalescing.sync { shared.value.model.name = "scope of the child" }
        }
      }
      #expect(shared.value.lines == ["name setting nil → child", "name setting nil → scope of the child"])
    }
    #expect(counter.lines.last == "name setting nil → scope of the child")
    token.cancel()
  }

  @Test("COA.9: on the main actor, with a synchronous scope and a transaction inside")
  @MainActor func mainActor() async throws {
    let counter = AsyncCounter()
    let token = try counter.model.observe("name", options: [.new, .coalesced]) { counter.lines.append(brief($0)) }
    await KVCoalescing.coalesce {
      await Task.yield()
      KVCoalescing.sync { counter.model.name = "x" }
      try? KVTransaction.run { try counter.model.setValue("y", forKey: "name") }
      #expect(counter.lines.isEmpty)
    }
    #expect(counter.lines == ["name setting nil → y"])
    token.cancel()
  }

  @Test("COA.9, COA.1: a commit without a begin, in a function that the body calls, ends nothing")
  func unmatchedCommit() async throws {
    func commit() { KVCoalescing.commit() }
    let counter = AsyncCounter()
    let token = try counter.model.observe("name", options: [.new, .coalesced]) { counter.lines.append(brief($0)) }
    await KVCoalescing.coalesce {
      counter.model.name = "x"
      commit()
      commit()
      counter.model.name = "y"
      await Task.yield()
      #expect(counter.lines.isEmpty)
    }
    #expect(counter.lines == ["name setting nil → y"])
    token.cancel()
  }

  @Test("COA.9: the new value is the present one, also if another task has set it meanwhile")
  @MainActor
  func present() async throws {
    let counter = AsyncCounter()
    let token = try counter.model.observe("name", options: [.old, .new, .coalesced]) { counter.lines.append(brief($0)) }
    await KVCoalescing.coalesce { @MainActor in
      counter.model.name = "scope"
      await Task { @MainActor in counter.model.name = "other task" }.value
      #expect(counter.lines == ["name setting scope → other task"])
    }
    #expect(counter.lines.last == "name setting Ada → other task")
    token.cancel()
  }
}

private final class AsyncCounter {
  let model = Villager("Ada")
  var lines: [String] = []
}

extension KVCoalescing {
  /// The synchronous form, called where an asynchronous one could be meant.
  fileprivate static func sync(_ body: () -> Void) { coalesce(body) }
}
