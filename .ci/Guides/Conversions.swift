import Foundation

enum Priority: CaseIterable { case low, normal, high }
struct Color: Equatable {
  static let red = Color(hex: "#ff0000")!
  var hex: String
  init?(hex: String) { self.hex = hex }
}
struct Address: KVDictionaryConvertible {
  var city = ""
  init() {}
  init?(dictionary: [String: Any]) { city = dictionary["city"] as? String ?? "" }
  var dictionary: [String: Any] { ["city": city] }
}
nonisolated(unsafe) let (errand, dueField) = (Errand(), Field())
@KVModel final class Field: KVObject { var text = "" }

//@ in key("stamp", \.stamp)
struct Code { init(_ text: String) {} }
final class Letter: KVObject {
  @KVProperty var stamp = Date.now
  @KVProperty var code = Code("1234")
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Letter.self) { key in
//@block
}}}
//@ in key("quantity", \.quantity)
enum OrderError: Error { case soldOut }
final class Order: KVObject {
  @KVProperty var quantity = 1
  var stock = 1, age = 1
  func setAge(_ age: Int) throws {}
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Order.self) { key in
//@block
}}}
//@ in key("rows") { $0.makeRows() }
final class Rows: KVObject {
  var rowCount = 0
  func makeRows() -> [String] { [] }
  func makeRow(_ index: Int) -> String { "" }
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Rows.self) { key in
//@block
}}}
