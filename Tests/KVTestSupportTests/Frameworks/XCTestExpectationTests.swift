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
      let expectation = try KVChangeExpectation(of: till, "number", expectedValue: 1, options: [.old, .new])
      let unchanged = try KVChangeExpectation(of: Till(), "number", expectedValue: 1, options: [.old, .new])
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
      let early = try KVChangeExpectation(of: till, "label", expectedValue: nil)
      let expectation = try KVChangeExpectation(of: till, "label", expectedValue: nil)
      XCTAssertEqual(XCTWaiter.wait(for: [early], timeout: 0), .timedOut)
      till.label = nil
      wait(for: [expectation], timeout: 0)
    }

    func testAValueOfElementsIsTheWhole() throws {
      let expectation = try KVChangeExpectation(of: till, "rows", expectedValue: [10, 12.5, 1])
      try till.mutableArray(forKey: "rows").append(1.0)
      wait(for: [expectation], timeout: 0)
    }

    func testItMayBeInverted() throws {
      let expectation = try keyValueObservingExpectation(for: till, keyPath: "number")
      expectation.isInverted = true
      till.label = "x"
      wait(for: [expectation], timeout: 0)
    }

    func testItMayBeCounted() throws {
      let (twice, thrice) = (
        try KVChangeExpectation(of: till, "number"), try KVChangeExpectation(of: till, "number")
      )
      (twice.expectedFulfillmentCount, thrice.expectedFulfillmentCount) = (2, 3)
      till.number = 2
      till.number = 3
      wait(for: [twice], timeout: 0)
      XCTAssertEqual(XCTWaiter.wait(for: [thrice], timeout: 0), .timedOut)
    }

    func testItIsListedWithTheLineOfTheTest() throws {
      let expectation = try keyValueObservingExpectation(for: till, keyPath: "number")
      let line = #line - 1
      XCTAssertEqual(
        KVDiagnostics.observations(of: till).map(\.location),
        ["KVTestSupportTests/XCTestExpectationTests.swift:\(line)"])
      expectation.isInverted = true
    }

    func testItMayBeStopped() throws {
      let expectation = try KVChangeExpectation(of: till, "number")
      expectation.cancel()
      expectNoObserversLeft(on: till)
      till.number = 2
      XCTAssertEqual(XCTWaiter.wait(for: [expectation], timeout: 0), .timedOut)
    }

    func testAPathThatIsNotThereThrows() {
      XCTAssertThrowsError(try KVChangeExpectation(of: till, "numbr")) { error in
        XCTAssertEqual((error as? KVError)?.code, .undefinedKey)
      }
    }

    func testItEndsWhenReleased() throws {
      _ = try KVChangeExpectation(of: till, "number")
      XCTAssertTrue(KVDiagnostics.observations(of: till).isEmpty)
    }
  }
#endif
