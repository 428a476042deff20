import Foundation
import KVBinding
import Testing

@Suite("The guide on conversions")
struct ConversionGuideTests {
  private enum Priority: CaseIterable { case low, normal, high }

  private struct Color: Equatable {
    var hex: String
    init?(hex: String) {
      guard hex.hasPrefix("#"), hex.count == 7 else { return nil }
      self.hex = hex
    }
    init(red: Int) { hex = "#\(red)00000" }
  }

  private struct Address: KVDictionaryConvertible, Equatable {
    var city = ""
    static var keyTable: KVTable { KVTable(Address.self) { key in key("city", \.city) } }
  }

  private struct SoldOut: Error {}

  private final class Task: KVObject {
    @KVProperty var due = Date(timeIntervalSince1970: 0)
    @KVProperty var priority = Priority.normal
    @KVProperty var color = Color(red: 1)
    @KVProperty var address = Address()
    @KVProperty var quantity = 2
    @KVProperty var stock = 5

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Task.self) { key in
        key("due", \.due).lenient()
        key("priority", \.priority).lenient()
        key("color", \.color).converted(from: String.self) {
          Color(hex: $0)
        } back: {
          $0.hex
        }
        key("address", \.address)
        key("quantity", \.quantity).lenient().validated { task, quantity in
          if quantity > task.stock { throw SoldOut() }
          return .valid
        } nil: { _ in
          .replaced(with: 1)
        }
      }
    }
  }

  private final class Field: KVObject {
    @KVProperty var text: String?
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Field.self) { key in key("text", \.text) }
    }
  }

  private let task = Task()
  private let field = Field()

  @Test("TAB.10: a configuration sets a model, and is read back")
  func configuration() throws {
    try task.setValues(forKeys: [
      "due": "2026-11-22T07:20:00Z", "priority": "high", "color": "#ff0000", "address": ["city": "London"],
    ])
    #expect(task.priority == .high)
    #expect(task.color == Color(hex: "#ff0000"))
    #expect(task.address == Address(city: "London"))
    #expect(try task.value(forKeyPath: "due", as: String.self) == "2026-11-22T07:20:00Z")
    #expect(try task.value(forKeyPath: "color", as: String.self) == "#ff0000")
  }

  @Test("TAB.10: a binding between a lenient key and a text converts both ways")
  func forms() throws {
    try task.setValue("2026-11-22", forKey: "due")
    let binding = try field.bind("text", to: "due", of: task, options: .twoWay)
    #expect(field.text == "2026-11-22T00:00:00Z")
    field.text = "2026-11-23"
    #expect(task.due.timeIntervalSince1970 == 1_795_392_000)
    field.text = "tomorrow"
    #expect(binding.lastError?.code == .typeMismatch)
    #expect(task.due.timeIntervalSince1970 == 1_795_392_000)
    binding.cancel()
  }

  @Test(
    "TAB.10: a form needs no transformer for any of its fields", arguments: ["due", "priority", "color", "quantity"])
  func forms(_ key: String) throws {
    let texts = ["due": "2026-11-22T07:20:00Z", "priority": "high", "color": "#0000ff", "quantity": "4"]
    let binding = try field.bind("text", to: key, of: task, options: .twoWay)
    #expect(try field.text == task.value(forKey: key, as: String.self))
    field.text = texts[key]
    #expect(try task.value(forKey: key, as: String.self) == texts[key])
    #expect(binding.lastError == nil)
    field.text = "?"
    #expect(binding.lastError?.code == .typeMismatch)
    #expect(try task.value(forKey: key, as: String.self) == texts[key])
    binding.cancel()
  }

  @Test("VAL.3: a binding that validates replaces nil, and is refused by a validator with its owner")
  func validation() throws {
    let binding = try field.bind("text", to: "quantity", of: task, options: .init(.twoWay, validates: true))
    field.text = "9"
    #expect(binding.lastError?.underlying is SoldOut)
    #expect(task.quantity == 2)
    field.text = nil
    #expect(task.quantity == 1)
    #expect(field.text == "1")
    binding.cancel()
  }

  @MainActor private final class Panel: KVObject {
    @KVProperty var level = 1
    @KVProperty var color = Color(red: 1)
    private(set) var size = 1
    func setSize(_ size: Int) throws {
      if size < 0 { throw SoldOut() }
      self.size = size
    }
    nonisolated override class var keyTable: KVTable {
      super.keyTable.extended(for: Panel.self) { @MainActor key in
        key("level", \.level).validated { panel, level in
          level > panel.size ? .replaced(with: panel.size) : .valid
        }
        key("color", \.color).converted(from: String.self) { Color(hex: $0) }
        key("size", { $0.size }, set: { panel, size in try panel.setSize(size) })
        key("rows") { Array(0..<$0.size) }.counted(by: { $0.size }, element: { $1 })
      }
    }
  }

  @Test("THR.3, TAB.10: the closures of a line may use a model of the main actor") @MainActor
  func isolated() throws {
    let panel = Panel()
    guard case .replaced(let level) = try panel.validate(5, forKeyPath: "level") else {
      return #expect(Bool(false), "not replaced")
    }
    #expect(level as? Int == 1)
    try panel.setValue("#00ff00", forKey: "color")
    #expect(panel.color == Color(hex: "#00ff00"))
    try panel.setValue(3, forKey: "size")
    #expect(throws: KVError.self) { try panel.setValue(-1, forKey: "size") }
    #expect(panel.mutableArray(forKey: "rows").count == 3)
  }
}
