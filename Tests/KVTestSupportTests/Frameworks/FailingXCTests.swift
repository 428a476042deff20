import KVTestSupport
import XCTest

/// The same expectations in XCTest, and those that only it has.
///
/// No rule: these tests fail, in a child process only; `FrameworkTests` quotes the rules.
final class FailingXCTests: XCTestCase {
  private let failing = Failing()

  func testSynchronous() throws {
    try XCTSkipUnless(isMeantToFail)
    try failing.synchronous()
  }

  func testAsynchronous() async throws {
    try XCTSkipUnless(isMeantToFail)
    try await failing.asynchronous()
  }

  func testLifetimes() async throws {
    try XCTSkipUnless(isMeantToFail)
    try await failing.lifetimes()
  }

  func testCompliance() throws {
    try XCTSkipUnless(isMeantToFail)
    failing.compliance()
  }

  func testUnobservable() async throws {
    try XCTSkipUnless(isMeantToFail)
    await failing.unobservable()
  }

  func testExecution() throws {
    try XCTSkipUnless(isMeantToFail)
    failing.execution()
  }

  func testElsewhere() async throws {
    try XCTSkipUnless(isMeantToFail)
    try await failing.elsewhere()
  }

  func testExpectation() throws {
    try XCTSkipUnless(isMeantToFail)
    let till = Till()
    let expectation = try keyValueObservingExpectation(for: till, keyPath: "number", expectedValue: 2)
    wait(for: [expectation], timeout: 0)  // fails
    let any = try KVChangeExpectation(of: till, "label")
    wait(for: [any], timeout: 0)  // fails
    let handled = try KVChangeExpectation(of: till, "label") { _ in false }
    wait(for: [handled], timeout: 0)  // fails
    let often = try KVChangeExpectation(of: till, "number")  // fails
    often.assertForOverFulfill = true
    till.number = 2
    till.number = 3
    wait(for: [often], timeout: 0)
  }
}
