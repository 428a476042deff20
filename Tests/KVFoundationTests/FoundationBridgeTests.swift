import Foundation
import KVCore
import KVFoundation
import KVQuery
import Testing

@Suite("Foundation's types")
struct FoundationBridgeTests {
  @Test("CO.2: CGFloat is a number like others")
  func cgFloat() throws {
    final class Shape: KVObject {
      var width: CGFloat = 0
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Shape.self) { key in key("width", \.width) }
      }
    }
    let shape = Shape()
    try shape.setValue(3, forKey: "width")
    #expect(shape.width == 3)
    #expect(try shape.value(forKey: "width", as: Int.self) == 3)
    #expect(try [shape, shape].value(forKeyPath: "@sum.width") as? Double == 6)
  }

  @Test("KVC.18: localizedDescription is the sentence")
  func localizedDescription() {
    let error = #expect(throws: KVError.self) { try ["a": 1].value(forKeyPath: "a..b") }
    #expect((error as (any Error)?)?.localizedDescription == error?.description)
    #expect(error?.description.contains("expected a key") == true)
  }

  @Test(
    "FLT.5: the error of a text that is compared with a Decimal or Date says how it could be",
    arguments: [
      ("cost > '1.5'", "Decimal"), ("'1.5' < cost", "Decimal"), ("day > '2026-01-01'", "Date"),
    ])
  func mismatchAdvice(format: String, type: String) throws {
    let record: [String: Any] = ["cost": Decimal(1), "day": Date(timeIntervalSince1970: 0)]
    let error = #expect(throws: KVError.self) { try KVPredicate(format: format).evaluate(with: record) }
    let advice = " Pass a \(type) as an argument of %@, or write CAST('…', '\(type)')."
    #expect(error?.code == .typeMismatch && error?.message.hasSuffix(advice) == true, "\(error?.message ?? "")")
  }
}
