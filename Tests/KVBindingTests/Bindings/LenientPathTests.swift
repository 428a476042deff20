import KVBinding
import KVControllers
import KVCore
import Testing

/// Keys that convert texts, at the ends of paths of all kinds.
@Suite("CO.5: texts of lenient keys behind structs, indexes and controllers")
struct LenientPathTests {
  private struct Address: KeyValueCoding {
    var zip = 1000
    static var keyTable: KVTable { KVTable(Address.self) { key in key("zip", \.zip).lenient() } }
  }

  private final class Order: KVObject {
    @KVProperty var discount = 5
    @KVProperty var ages = [3, 4]
    @KVProperty var address = Address()
    @KVProperty var parts: [Order] = []

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Order.self) { key in
        key("discount", \.discount).lenient()
        key("ages", \.ages).lenient()
        key("address", \.address)
        key("parts", \.parts)
      }
    }
  }

  private final class Field: KVObject {
    @KVProperty var text: String? = ""
    @KVProperty var texts: [String] = []
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Field.self) { key in
        key("text", \.text)
        key("texts", \.texts)
      }
    }
  }

  @Test(
    "CO.5, TAB.10: a text field follows them, and sets them",
    arguments: ["address.zip", "parts[0].discount", "ages[0]"])
  func paths(_ path: String) throws {
    let (order, field) = (Order(), Field())
    order.parts = [Order()]
    let binding = try field.bind("text", to: path, of: order, options: .twoWay)
    let text = try order.value(forKeyPath: path, as: String.self)
    #expect(binding.lastError == nil && field.text == text)
    field.text = "12"
    #expect(try order.value(forKeyPath: path, as: Int.self) == 12)
    #expect(binding.lastError == nil)
  }

  @Test("CO.5, CTR.2: a text field follows them behind a controller")
  func controllers() throws {
    let (order, field) = (Order(), Field())
    let controller = KVObjectController<Order>(order)
    let binding = try field.bind("text", to: "selection.discount", of: controller, options: .twoWay)
    #expect(binding.lastError == nil && field.text == "5")
    field.text = "12"
    #expect(order.discount == 12)
    order.discount = 7
    #expect(field.text == "7" && binding.lastError == nil)
  }

  @Test("CO.5, BND.7: edits of a collection convert as the whole of it does, in both directions")
  func elements() throws {
    let (order, field) = (Order(), Field())
    let binding = try field.bind("texts", to: "ages", of: order, options: .twoWay)
    #expect(field.texts == ["3", "4"])
    try order.mutableArray(forKey: "ages").insert(8, at: 1)
    #expect(field.texts == ["3", "8", "4"] && binding.lastError == nil)
    try field.mutableArray(forKey: "texts").append("12")
    #expect(order.ages == [3, 8, 4, 12] && binding.lastError == nil)
    try field.mutableArray(forKey: "texts").remove(at: 0)
    #expect(order.ages == [8, 4, 12])
    try field.mutableArray(forKey: "texts").append("x")
    #expect(order.ages == [8, 4, 12])
    #expect(binding.lastError?.code == .typeMismatch)
  }

  @Test("CO.5: a text that stands for no number is refused with what is expected")
  func expected() throws {
    let error = #expect(throws: KVError.self) { try Order().setValue("1,5", forKey: "discount") }
    #expect(error?.message.contains("an integer such as 12 is expected") == true)
  }
}
