import Observation

nonisolated(unsafe) let model = Model()
nonisolated(unsafe) let (badge, label) = (Badge(), Label())
nonisolated(unsafe) let (form, meter, store) = (Form(), Meter(), Store())
nonisolated(unsafe) let page = Page()
final class Label { var text = "" }
@KVModel final class Model: KVObject {
  var state = ""
  var items: [Int] = []
}
@KVModel final class Form: KVObject {
  var query = ""
  var title = ""
  var body = ""
}
@KVModel final class Meter: KVObject { var level = 0.0 }
final class Page: KVObject {
  func search(_ query: Any?) {}
  func redraw() {}
  func save() {}
}

//@ in try form.observe("query", owner: self)
extension Page { func start() throws {
//@block
} }
//@ in try form.observe(["title", "body"]
extension Page { func startSaving() throws {
//@block
} }
//@ in let token = try store.observe
@MainActor func observeStore() throws {
//@block
}
//@ in try store.observe("count", on: self
actor Keeper { func start(_ store: Store, _ page: Page) throws {
//@block
} }
//@ skip let subscription = try person.publisher
// Combine is there on Apple's platforms only.
