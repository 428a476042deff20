import Dispatch
import Testing

@testable import KVTestSupport

@Suite("TST.1: reporting")
struct ReporterTests {
  private let till = Till()

  @Test("TST.1: a failure says what and where")
  func failure() {
    let failures = KVFailureReporter.capturing { expectNoChange(of: till, "number") { till.number = 2 } }
    #expect(
      "\(failures)" == """
        [KVTestSupportTests/ReporterTests.swift:\(#line - 1): Till told of a change where none was expected:
        1  number  setting  1 → 2]
        """)
    #expect(failures.first?.location.filePath == "\(#filePath as StaticString)")
    #expect(failures.first?.location.column == 64)
  }

  @Test("TST.1: the reporter of a task counts in it and in its child tasks, the innermost first")
  func tasks() async {
    let outer = await KVFailureReporter.capturing {
      let inner = KVFailureReporter.capturing { expectNoChange(of: till, "number") { till.number = 2 } }
      #expect(inner.count == 1)
      let shared = KVUncheckedSendable(till)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { expectNoChange(of: shared.value, "number") { shared.value.number = 3 } }
      }
    }
    #expect(outer.count == 1)
  }

  @Test("TST.1: without a reporter of the task that of the process counts, on every thread")
  func process() async {
    let reported = Locked<[KVTestFailure]>([])
    let here = KVTestLocation()
    // Only failures of this test are kept back; others go on to where they belong.
    KVFailureReporter.setDefault(
      KVFailureReporter { failure in
        guard failure.location == here else { return KVFailureReporter.automatic.report(failure) }
        reported.withLock { $0.append(failure) }
      })
    defer { KVFailureReporter.setDefault(.automatic) }
    let body: @Sendable () -> Void = { KVFailureReporter.current.report(KVTestFailure("no", at: here)) }
    await Task.detached { body() }.value
    DispatchQueue.global().sync { body() }
    #expect(reported.withLock { $0.count } == 2)
  }

  @Test("TST.1: in a test of Swift Testing a failure is an issue of it, which may be known")
  func known() {
    withKnownIssue {
      expectNoChange(of: till, "number") { till.number = 2 }
    } matching: { issue in
      issue.sourceLocation?.line == #line - 2
        && issue.comments.first?.rawValue.hasPrefix("Till told of a change where none was expected:") == true
    }
  }

  @Test(
    "TST.1: a program that runs tests is distinguished from others, whose failures are not to be lost",
    arguments: [
      (["/build/debug/appPackageTests.xctest", "Suite/test"], true), (["/usr/bin/xctest", "app.xctest"], true),
      (["/usr/libexec/swiftpm-testing-helper"], true), (["/build/app", "--testing-library", "swift-testing"], true),
      (["/build/Debug-linux/AppTests-test-runner"], true), (["/build/debug/app", "run"], false), ([], false),
    ])
  func programs(_ arguments: [String], _ runs: Bool) {
    #expect(runsTests(arguments) == runs)
    #expect(runsTests(CommandLine.arguments))
  }
}
