//@ in private weak var storedBoss
final class Puppy: KVObject {
//@block
}
//@ in key("rate", \.rate)
final class Hub: KVObject {
  var rate = 1.0, port = 80
  var note: String?
  let id = 7
  func open(_ port: Int) throws {}
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Hub.self) { key in
//@block
}}}
//@ in key("items", \.items).inPlace
final class Basket: KVObject {
  @KVProperty var items: [Int] = []
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Basket.self) { key in
//@block
}}}
