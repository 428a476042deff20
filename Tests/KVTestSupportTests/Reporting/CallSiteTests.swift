import Dispatch
import KVTestSupport
import Testing
import XCTest

// Calls as tests make them, in both frameworks, with and without actors: that they compile is half of the test.

@MainActor
private final class Scene: KVObject {
  @KVProperty var title = "a"
  @KVProperty var count = 0

  override nonisolated init() {}

  func load() async {
    await Task.yield()
    count += 1
  }

  override nonisolated class var keyTable: KVTable {
    super.keyTable.extended(for: Scene.self) { @MainActor key in
      key("title", \.title)
      key("count", \.count)
    }
  }
}

@MainActor
@Suite("TST.1: calls from the main actor")
struct MainActorCallTests {
  private let scene = Scene()

  @Test("TST.1, THR.3: helpers take bodies of the main actor, with and without waiting")
  func bodies() async throws {
    expectChanges(of: scene, [.set("title", to: "b")]) { scene.title = "b" }
    await expectChanges(of: scene, [.set("count", to: 1)]) { await scene.load() }
    await expectChange(of: scene, "count", to: 2) { await scene.load() }
    await expectChange(of: scene, "count", to: 3, within: .seconds(3600)) { Task { await scene.load() } }
    let count = await expectNoChange(of: scene, "title") {
      await scene.load()
      return scene.count
    }
    #expect(count == 4)
    let recorder = try KVChangeRecorder(of: scene, "title")
    scene.title = "c"
    recorder.expect([.set("title", to: "c")])
    let later = Task { await scene.load() }
    await expectChange(of: scene, "count", within: .seconds(3600))
    await later.value
    try await expectNoBindingErrors { try await Task.sleep(for: .zero) }
    expectCoalesced(of: scene, .changed("title")) { KVCoalescing.coalesce { scene.title = "d" } }
    let title = await expectCoalesced(of: scene, .set("title", from: "d", to: "f")) {
      await Task.yield()
      KVCoalescing.coalesce { for title in ["e", "f"] { scene.title = title } }
      return scene.title
    }
    #expect(title == "f")
    expectReleased { Scene() }
    await expectReleased {
      let scene = Scene()
      await scene.load()
      return scene
    }
    expectNoObserversLeft(on: Scene())
    let log = try await recordChanges(of: scene) { await scene.load() }
    #expect(log.count == 1)
  }

  @Test("TST.1: a helper inside of an exit test reports as in any test")
  func insideOfExit() async {
    #if os(Linux) || os(macOS)
      await withKnownIssue {
        await #expect(processExitsWith: .success) {
          let till = Till()
          expectNoChange(of: till, "number") { till.number = 2 }
        }
      } matching: { issue in
        issue.comments.contains { $0.rawValue.hasPrefix("Till told of a change where none was expected:") }
      }
    #endif
  }
}

@Suite("TST.1: calls from several tasks")
struct TaskCallTests {
  @Test("TST.1: helpers called in child tasks report to the test, once each", arguments: [1, 8])
  func children(_ count: Int) async {
    let failures = await KVFailureReporter.capturing {
      async let one: Void = expectNoChange(of: Till()) {}
      await one
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask {
            let till = Till()
            expectNoChange(of: till, "number") { till.number = 2 }
            await expectChange(of: till, "number", to: 5, within: .zero) { await Task.yield() }
          }
        }
      }
    }
    #expect(failures.count == 2 * count)
  }

  @Test("TST.1: a body that throws, at any depth, is the one failure")
  func throwing() async {
    let till = Till()
    let failures = await KVFailureReporter.capturing {
      await #expect(throws: KVFixtures.Fault.self) {
        try await expectChanges(of: till, [.set("number")], within: .seconds(3600)) {
          try await expectNoBindingErrors {
            try await expectChange(of: till, "number", to: 7) {
              await Task.yield()
              throw KVFixtures.Fault()
            }
          }
        }
      }
    }
    #expect(failures.isEmpty)
  }
}

/// TST.1, TST.2: the same in XCTest, with what it runs around a test.
@MainActor
final class CallXCTests: XCTestCase {
  private var scene = Scene()
  private nonisolated let tracker = KVLifetimeTracker()

  override func setUp() async throws {
    expectChanges(of: scene, [.set("title", to: "b")]) { scene.title = "b" }
    await expectChange(of: scene, "count", to: 1) { await scene.load() }
  }

  override func tearDown() async throws {
    tracker.expectAllReleased()
  }

  func testItAwaits() async throws {
    tracker.track(Scene())
    let changed = try keyValueObservingExpectation(for: scene, keyPath: "title", expectedValue: "c")
    scene.title = "c"
    scene.title = "d"
    await fulfillment(of: [changed], timeout: 3600)
    let never = try KVChangeExpectation(of: scene, "title")
    never.isInverted = true
    await fulfillment(of: [never], timeout: 0)
    let twice = try KVChangeExpectation(of: scene, "title", expectedValue: "f")
    twice.expectedFulfillmentCount = 2
    for title in ["f", "g", "f", "f"] { scene.title = title }
    await fulfillment(of: [twice], timeout: 3600)
    scene.title = "f"
  }
}
