// What a program does that KVCore finds at run time: conversions, documents, dates in predicates, locales, cures. The
// output is the same whether the libraries are linked as object files or from a plain archive (.ci/archive.py).
import Foundation
import KVControllers
import KVDefinitions
import KVDocuments

final class Record: KVObject {
  @KVProperty var date = Date(timeIntervalSinceReferenceDate: 0)
  @KVProperty var url = URL(string: "https://example.org/")!
  @KVProperty var id = UUID(uuidString: "00000000-0000-0000-0000-000000000000")!
  @KVProperty var data = Data([1])
  @KVProperty var price: Decimal = 1
  @KVProperty var width: CGFloat = 1
  @KVProperty var count = 1
  @KVProperty var title = "a"
  @KVProperty var children: [Record] = []
  @KVProperty var names: Set<String> = ["x"]
  @KVProperty var sizes = ["s": 1]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Record.self) { key in
      key("date", \.date).lenient()
      key("url", \.url).lenient()
      key("id", \.id).lenient()
      key("data", \.data).lenient()
      key("price", \.price).lenient()
      key("width", \.width).lenient()
      key("count", \.count).lenient()
      key("title", \.title).lenient()
      key("children", \.children)
      key("names", \.names)
      key("sizes", \.sizes)
    }
  }
}

func show(_ title: String, _ body: () throws -> Any?) {
  do { print("\(title): \(try body() ?? "nil")") } catch { print("\(title): \(error.localizedDescription)") }
}

let record = Record()
let texts = [
  ("date", "2026-11-22T07:20:00Z"), ("url", "https://example.org/a"), ("id", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
  ("data", "AQID"), ("price", "12.50"), ("width", "2.5"),
]
for (key, text) in texts {
  show("\(key) of a text") {
    try record.setValue(text, forKey: key)
    return try record.value(forKey: key)
  }
  show("\(key) of a wrong text") { try record.setValue("?", forKey: key) }
  show("\(key) of a number") {
    try record.setValue(3, forKey: key)
    return try record.value(forKey: key)
  }
}
show("sum") { try KVC.value(of: [Decimal(string: "0.1")!, Decimal(string: "0.2")!], forKeyPath: "@sum.self") }
show("maximum") { try KVC.value(of: [CGFloat(1), CGFloat(2)], forKeyPath: "@max.self") }

show("a missing entry") { try KVC.value(of: ["a": 1], forKeyPath: "b") }
show("an entry") { try record.value(forKeyPath: "sizes.s") }
show("a set") { try record.value(forKeyPath: "names.@count") }
show("a slice") { try KVC.value(of: [1, 2, 3][1...], forKeyPath: "@sum.self") }
show("an unknown key") { try record.value(forKey: "titel") }
show("a key of an error") {
  do { return try record.value(forKey: "titel") } catch { return try KVC.value(of: error, forKeyPath: "suggestion") }
}
show("a predicate for a key") { try record.setValue(KVPredicate("a == 1"), forKey: "title") }

show("JSON") {
  let document = try KVDocument(
    data: Data(#"{"date": "2026-11-22T07:20:00Z", "price": 1.10, "rows": [{"n": 1}]}"#.utf8))
  let data = try document.data()
  return String(decoding: data, as: UTF8.self)
}
show("dates as text") {
  String(
    decoding: try KVDocument(["d": Date(timeIntervalSinceReferenceDate: 0.5)]).data(datesAsText: true), as: UTF8.self)
}
show("a property list") {
  let list = KVDocument(["d": Date(timeIntervalSinceReferenceDate: 0), "b": Data([1, 2])], format: .xml)
  return String(decoding: try list.data(), as: UTF8.self)
}
show("a predicate with a date") {
  let predicate = try KVPredicate(format: "date < %@", Date(timeIntervalSinceReferenceDate: 1e9))
  return "\(predicate) \(try predicate.evaluate(with: record))"
}
show("a cast") { try KVPredicate(format: "date < CAST('2030-01-01', 'NSDate')").evaluate(with: record) }
show("now") { try KVPredicate(format: "date < now()").evaluate(with: record) }
show("an encoded predicate") {
  String(decoding: try JSONEncoder().encode(KVPredicate(format: "price > %@", Decimal(1))), as: UTF8.self)
}
show("an order of a locale") {
  let order = KVComparison.localized(Locale(identifier: "sv"))
  return try [["t": "ö"], ["t": "z"], ["t": "a10"], ["t": "a9"]].sorted(by: [KVSortDescriptor("t", comparison: order)])
}

let field = Record()
show("a binding that converts") {
  let binding = try field.bind("title", to: "count", of: record, options: .init(.twoWay))
  record.count = 7
  let text = field.title
  field.title = "8"
  withExtendedLifetime(binding) {}
  return "\(text) \(record.count)"
}
show("a controller") {
  let controller = KVArrayController<Record>()
  controller.content = [record, field]
  controller.sortDescriptors = [KVSortDescriptor("date")]
  try controller.select(field)
  try controller.setValue("both", forKeyPath: "selection.title")
  return
    "\(controller.arrangedObjects.count) \(field.title) \(try controller.value(forKeyPath: "selection.count") ?? "nil")"
}
show("undo of one step") {
  let undo = KVUndoManager()
  try undo.record(record)
  undo.group { record.children = [Record(), Record()] }
  try undo.group { try record.setValue(5, forKeyPath: "sizes.s") }
  let steps = undo.undoCount
  _ = try undo.undo()
  return "\(steps) \(record.sizes)"
}
show("a transformer") { try KVTransformer.named("url").transform("https://example.org/b") }
show("a live list") {
  let view = record.mutableArray(forKey: "children")
  return try KVC.value(of: view, forKeyPath: "count")
}
