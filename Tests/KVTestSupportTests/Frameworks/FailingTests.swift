import Foundation
import KVTestSupport
import Testing

// Each line marked with `// fails` is one expectation that does not hold. They run in a child process only, whose report is
// read by `FrameworkTests`: one issue for each marked line, and no other.

/// Set in a process that is there to fail.
let failingVariable = "KV_RUN_FAILING_SUITES"

/// Whether this process is there to fail.
let isMeantToFail = ProcessInfo.processInfo.environment[failingVariable] != nil

/// No rule: these tests fail, in a child process only; `FrameworkTests` quotes the rules.
@Suite("Expectations that do not hold", .enabled(if: isMeantToFail))
struct FailingTests {
  private let failing = Failing()

  @Test func synchronous() throws { try failing.synchronous() }

  @Test func asynchronous() async throws { try await failing.asynchronous() }

  @Test func lifetimes() async throws { try await failing.lifetimes() }

  @Test func compliance() { failing.compliance() }

  @Test func unobservable() async { await failing.unobservable() }

  @Test func execution() { failing.execution() }

  @Test func elsewhere() async throws { try await failing.elsewhere() }

  @Test func standardError() {
    let till = Till()
    KVFailureReporter.with(.standardError) {
      expectNoChange(of: till, "number") { till.number = 2 }  // to standard error
    }
  }
}
