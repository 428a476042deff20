import Foundation
import KVBinding
import Testing

@Suite("Foundation's types")
struct FoundationBridgeTests {
  @Test("CO.2 CGFloat is a number like others")
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

  @Test("KVC.18 localizedDescription is the sentence")
  func localizedDescription() {
    let error = #expect(throws: KVError.self) { try ["a": 1].value(forKeyPath: "a..b") }
    #expect((error as (any Error)?)?.localizedDescription == error?.description)
    #expect(error?.description.contains("expected a key") == true)
  }
}
