#if canImport(XCTest)
  import Dispatch
  import KVTestSupport
  import XCTest

  /// TST.2: the cases of `XCTKVOExpectation`, as ours.
  final class XCTestExpectationTests: XCTestCase {
    private let till = Till()

    func testAnyChangeFulfils() throws {
      let expectation = try keyValueObservingExpectation(for: till, keyPath: "number")
      let other = try keyValueObservingExpectation(for: till, keyPath: "label")
      till.number = 1
      XCTAssertEqual(XCTWaiter.wait(for: [other], timeout: 0), .timedOut)
      wait(for: [expectation], timeout: 0)
      XCTAssertEqual(expectation.expectationDescription, "Till.number changes")
    }

    func testAValueThatIsThereFulfilsAtOnce() throws {
      wait(for: [try keyValueObservingExpectation(for: till, keyPath: "number", expectedValue: 1)], timeout: 0)
    }

    func testAValueIsWaitedForFromAnotherThread() throws {
      let expectation = try keyValueObservingExpectation(for: till, keyPath: "number", expectedValue: 5)
      let shared = KVUncheckedSendable(till)
      DispatchQueue.global().async { for number in 2...7 { shared.value.number = number } }
      wait(for: [expectation], timeout: 60)
      XCTAssertEqual(expectation.expectationDescription, "Till.number becomes 5")
    }

    func testWithoutInitialOnlyAChangeCounts() throws {
      let expectation = try KVChangeExpectation(till, "number", expectedValue: 1, options: [.old, .new])
      let unchanged = try KVChangeExpectation(Till(), "number", expectedValue: 1, options: [.old, .new])
      till.number = 1
      wait(for: [expectation], timeout: 0)
      XCTAssertEqual(XCTWaiter.wait(for: [unchanged], timeout: 0), .timedOut)
    }

    func testAHandlerDecides() throws {
      let test = { (change: KVChange) in change.old as? Int == 2 && change.new as? Int == 3 }
      let early = try keyValueObservingExpectation(for: till, keyPath: "number", handler: test)
      let expectation = try keyValueObservingExpectation(for: till, keyPath: "number", handler: test)
      till.number = 2
      XCTAssertEqual(XCTWaiter.wait(for: [early], timeout: 0), .timedOut)
      till.number = 3
      wait(for: [expectation], timeout: 0)
    }

    func testNilCanBeExpected() throws {
      till.label = "x"
      let early = try KVChangeExpectation(till, "label", expectedValue: nil)
      let expectation = try KVChangeExpectation(till, "label", expectedValue: nil)
      XCTAssertEqual(XCTWaiter.wait(for: [early], timeout: 0), .timedOut)
      till.label = nil
      wait(for: [expectation], timeout: 0)
    }

    func testAValueOfElementsIsTheWhole() throws {
      let expectation = try KVChangeExpectation(till, "rows", expectedValue: [10, 12.5, 1])
      try till.mutableArray(forKey: "rows").append(1.0)
      wait(for: [expectation], timeout: 0)
    }

    func testItMayBeInverted() throws {
      let expectation = try keyValueObservingExpectation(for: till, keyPath: "number")
      expectation.isInverted = true
      till.label = "x"
      wait(for: [expectation], timeout: 0)
    }

    func testAPathThatIsNotThereThrows() {
      XCTAssertThrowsError(try KVChangeExpectation(till, "numbr")) { error in
        XCTAssertEqual((error as? KVError)?.code, .undefinedKey)
      }
    }

    func testItEndsWhenDropped() throws {
      _ = try KVChangeExpectation(till, "number")
      XCTAssertTrue(KVDiagnostics.observations(of: till).isEmpty)
    }
  }
#endif
