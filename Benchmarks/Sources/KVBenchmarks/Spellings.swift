import KVBinding

/// What a user writes, beside the same without the library: the ratio of both, measured by turns.
///
/// No ordinary statement should cost more than three times its native twin; the report marks those that do.
func runSpellings(_ workload: Workload) throws {
  let spellings = Spellings(wall: workload.wall)
  try spellings.runReading()
  try spellings.runWriting()
  try spellings.runOptionals()
  try spellings.runCollections()
  try spellings.runObserving()
  try spellings.runGuides()
}

/// The spellings, in groups.
struct Spellings {
  let wall: Wall

  /// Measures a statement and its native twin by turns, and prints both medians and their ratio.
  @inline(__always)
  func compare<Ours, Native>(
    _ text: String, _ ours: () throws -> Ours, with native: () throws -> Native
  ) rethrows {
    var (times, twins) = (Timing(), Timing())
    // The first use of a type costs as much as a thousand others.
    sink(try ours())
    sink(try native())
    while let count = times.nextCount {
      let start = threadSeconds()
      for _ in 0..<count { sink(try ours()) }
      times.record(threadSeconds() - start)
      guard let count = twins.nextCount else { continue }
      let middle = threadSeconds()
      for _ in 0..<count { sink(try native()) }
      twins.record(threadSeconds() - middle)
    }
    while let count = twins.nextCount {
      let start = threadSeconds()
      for _ in 0..<count { sink(try native()) }
      twins.record(threadSeconds() - start)
    }
    if Timing.fixedCount != nil {
      report("kv Spellings \(text) \(times.summary)")
      return report("native Spellings \(text) \(twins.summary)")
    }
    let ratio = times.median / twins.median
    report(
      "spelling \(Timing.text(times.median)) native \(Timing.text(twins.median)) ratio \(Timing.text(ratio))"
        + "\(ratio > 3 ? " !" : "  ") \(text)")
  }

  @inline(__always)
  private func sink<Value>(_ value: consuming Value) {
    withUnsafeMutablePointer(to: &value) { _ = wall(UnsafeMutableRawPointer($0)) }
  }

  // MARK: Reading

  func runReading() throws {
    let text = Alternating.texts.first
    let node = opaque(Node())
    (node.name, node.age) = (text, 7)
    node.next = opaque(Node())
    node.next?.name = text
    let native = opaque(NativeNode())
    (native.name, native.age) = (text, 7)
    native.next = opaque(NativeNode())
    native.next?.name = text
    try compare("node.value(forKey: \"age\", as: Int.self)", { try node.value(forKey: "age", as: Int.self) }) {
      native.age
    }
    try compare("node.value(forKey: \"age\")", { try node.value(forKey: "age") }) { native.age as Any? }
    try compare("node.value(forKey: \"name\", as: String.self)", { try node.value(forKey: "name", as: String.self) }) {
      native.name
    }
    try compare("node.value(forKey: \"age\", as: Double.self)", { try node.value(forKey: "age", as: Double.self) }) {
      Double(native.age)
    }
    try compare("node.value(forKeyPath: \"next.name\", as: String.self)") {
      try node.value(forKeyPath: "next.name", as: String.self)
    } with: {
      native.next?.name
    }
    try compare("node.value(forKeyPath: \"next.name\")", { try node.value(forKeyPath: "next.name") }) {
      native.next?.name as Any?
    }
    try compare("node.value(forKey: \"next\")", { try node.value(forKey: "next") }) { native.next as Any? }

    let order = opaque(OrderNode())
    let customer = opaque(CustomerValue(city: text))
    order.customer.city = text
    let plain = opaque(PlainOrder(customer: PlainCustomer(city: text)))
    try compare("order.value(forKeyPath: \"customer.city\", as: String.self)") {
      try order.value(forKeyPath: "customer.city", as: String.self)
    } with: {
      plain.customer.city
    }
    try compare("order.value(forKeyPath: \"customer.city\")", { try order.value(forKeyPath: "customer.city") }) {
      plain.customer.city as Any?
    }
    try compare("order.value(forKey: \"customer\")", { try order.value(forKey: "customer") }) { plain.customer as Any? }
    try compare("customer.value(forKey: \"city\", as: String.self)") {
      try customer.value(forKey: "city", as: String.self)
    } with: {
      plain.customer.city
    }
    try compare("customer.value(forKey: \"city\")", { try customer.value(forKey: "city") }) {
      plain.customer.city as Any?
    }

    let reflected = opaque(PlainCustomer(city: text))
    try compare("KVC.value(of: reflected, forKeyPath: \"city\", as: String.self)") {
      try KVC.value(of: reflected, forKeyPath: "city", as: String.self)
    } with: {
      plain.customer.city
    }
    let reflectedNode = opaque(ReflectedNode())
    reflectedNode.name = text
    try compare("reflectedNode.value(forKey: \"name\")", { try reflectedNode.value(forKey: "name") }) {
      native.name as Any?
    }
    let dictionary: [String: Any] = opaque(["a": 1, "b": 2, "c": text])
    let record = opaque(try KVRecord(dictionary))
    try compare("KVC.value(of: dictionary, forKeyPath: \"c\")", { try KVC.value(of: dictionary, forKeyPath: "c") }) {
      dictionary["c"]
    }
    try compare("KVC.value(of: dictionary, forKeyPath: \"a\", as: Int.self)") {
      try KVC.value(of: dictionary, forKeyPath: "a", as: Int.self)
    } with: {
      dictionary["a"] as? Int
    }
    try compare("record.value(forKey: \"c\")", { try record.value(forKey: "c") }) { dictionary["c"] }
    compare("record.c", { record.c }) { dictionary["c"] }
    try compare("node.dictionaryWithValues(forKeys: [\"name\", \"age\"])") {
      try node.dictionaryWithValues(forKeys: ["name", "age"])
    } with: {
      ["name": native.name, "age": native.age] as [String: Any?]
    }
    let dynamic = opaque(["next", "name"].joined(separator: "."))
    try compare("KVKeyPath(text)", { try KVKeyPath(dynamic) }) { dynamic.split(separator: ".") }
    compare("catch undefined key", { try? node.value(forKey: "nmae") as Any? }) { try? Self.failing(dynamic) }
  }

  struct Undefined: Error {
    let key: String
  }

  @inline(never)
  static func failing(_ key: String) throws -> Any? { throw Undefined(key: key) }

  // MARK: Writing

  func runWriting() throws {
    let node = opaque(Node())
    let native = opaque(NativeNode())
    let text = Alternating.texts.first
    try compare("node.setValue(7, forKey: \"age\")", { try node.setValue(7, forKey: "age") }) { native.age = 7 }
    try compare("node.setValue(any, forKey: \"age\")", { try node.setValue(7 as Any?, forKey: "age") }) {
      native.age = 7
    }
    try compare("node.setValue(7.0, forKey: \"age\")", { try node.setValue(7.0, forKey: "age") }) { native.age = 7 }
    try compare("node.setValue(text, forKey: \"name\")", { try node.setValue(text, forKey: "name") }) {
      native.name = text
    }
    compare("node.name = text", { node.name = text }) { native.name = text }
    let order = opaque(OrderNode())
    let plain = opaque(PlainOrder(customer: PlainCustomer(city: text)))
    try compare("order.setValue(text, forKeyPath: \"customer.city\")") {
      try order.setValue(text, forKeyPath: "customer.city")
    } with: {
      plain.customer.city = text
    }
    compare("order.customer.city = text", { order.customer.city = text }) { plain.customer.city = text }
    let record = opaque(try KVRecord(["c": 1]))
    var dictionary: [String: Any] = opaque(["c": 1])
    compare("record.c = 7", { record.c = 7 }) { dictionary["c"] = 7 }
    try compare("record.setValue(7, forKey: \"c\")", { try record.setValue(7, forKey: "c") }) { dictionary["c"] = 7 }
    try compare("node.setValues(forKeys: [\"name\": text, \"age\": 7])") {
      try node.setValues(forKeys: ["name": text, "age": 7])
    } with: {
      for (key, value) in ["name": text, "age": 7] as [String: Any?] {
        switch key {
        case "name": if let name = value as? String { native.name = name }
        case "age": if let age = value as? Int { native.age = age }
        default: break
        }
      }
    }
    compare("node.withChange(forKey: \"name\") { }", { node.withChange(forKey: "name") { node.name = text } }) {
      native.name = text
    }
  }

  // MARK: Optional properties

  func runOptionals() throws {
    let text = Alternating.texts.first
    let blank = opaque(BlankNode(name: text, age: 7))
    let empty = opaque(NativeBlank(name: text, age: 7))
    try compare(
      "blank.value(forKey: \"name\", as: String?.self)", { try blank.value(forKey: "name", as: String?.self) }
    ) {
      empty.name
    }
    try compare("blank.value(forKey: \"name\", as: String.self)", { try blank.value(forKey: "name", as: String.self) })
    {
      empty.name ?? ""
    }
    try compare("blank.value(forKey: \"age\")", { try blank.value(forKey: "age") }) { empty.age as Any? }
    let node = opaque(Node())
    let native = opaque(NativeNode())
    try compare("blank.setValue(text, forKey: \"name\")", { try blank.setValue(text, forKey: "name") }) {
      empty.name = text
    }
    try compare("blank.setValue(any, forKey: \"name\")", { try blank.setValue(text as Any?, forKey: "name") }) {
      empty.name = text
    }
    try compare("blank.setValue(7, forKey: \"age\")", { try blank.setValue(7, forKey: "age") }) { empty.age = 7 }
    try compare("blank.setValue(7.0, forKey: \"age\")", { try blank.setValue(7.0, forKey: "age") }) { empty.age = 7 }
    try compare("blank.setValue(nil, forKey: \"age\")", { try blank.setValue(nil, forKey: "age") }) { empty.age = nil }
    try compare("node.setValue(node, forKey: \"next\")", { try node.setValue(node, forKey: "next") }) {
      native.next = native
    }
    node.next = nil
    native.next = nil
  }

  // MARK: Collections

  func runCollections() throws {
    let count = 100
    let shop = opaque(Shop.stocked(count))
    let items = shop.items
    try compare("shop.value(forKeyPath: \"items.@count\", as: Int.self)") {
      try shop.value(forKeyPath: "items.@count", as: Int.self)
    } with: {
      items.count
    }
    try compare("shop.value(forKeyPath: \"items.@sum.value\", as: Int.self), 100") {
      try shop.value(forKeyPath: "items.@sum.value", as: Int.self)
    } with: {
      items.reduce(0) { $0 + $1.value }
    }
    try compare("shop.value(forKeyPath: \"items.value\", as: [Int].self), 100") {
      try shop.value(forKeyPath: "items.value", as: [Int].self)
    } with: {
      items.map(\.value)
    }
    try compare("shop.value(forKeyPath: \"items.value\"), 100", { try shop.value(forKeyPath: "items.value") }) {
      items.map { $0.value as Any }
    }
    try compare("shop.value(forKeyPath: \"items[7].value\", as: Int.self)") {
      try shop.value(forKeyPath: "items[7].value", as: Int.self)
    } with: {
      items[7].value
    }
    let view = shop.mutableArray(forKey: "items")
    var native = items
    let item = Item()
    try compare("view.append(item); view.removeLast()") {
      try view.append(item)
      try view.remove(at: count)
    } with: {
      native.append(item)
      native.removeLast()
    }
    let numbers = opaque(NumberShop())
    numbers.numbers = Array(0..<count)
    var plain = numbers.numbers
    compare("shop.numbers.append(7); removeLast()") {
      numbers.numbers.append(7)
      numbers.numbers.removeLast()
    } with: {
      plain.append(7)
      plain.removeLast()
    }
    var prices: [String: Int] = [:]
    compare("shop.prices[key] = 7", { numbers.prices["tea"] = 7 }) { prices["tea"] = 7 }
  }

  // MARK: Observing

  func runObserving() throws {
    let counter = Counter()
    let texts = Alternating.texts
    let node = opaque(Node())
    let native = opaque(WatchedNode())
    native.handler = { counter.count($1) }
    try compare("node.observe(\"age\") { }.cancel()") {
      try node.observe("age") { counter.count(boxed: $0.new) }.cancel()
    } with: {
      native.handlers.append { counter.count($1) }
      native.handlers.removeLast()
    }
    let typed = try node.observe("name", as: String.self) { counter.count($0.new) }
    compare("node.name = text, a typed observer", { node.name = texts.first }) { native.name = texts.first }
    try compare("node.setValue(text, forKey: \"name\"), a typed observer") {
      try node.setValue(texts.first, forKey: "name")
    } with: {
      native.name = texts.first
    }
    typed.cancel()
    let any = try node.observe("name") { counter.count(boxed: $0.new) }
    compare("node.name = text, an observer", { node.name = texts.first }) { native.name = texts.first }
    any.cancel()
    let plainNode = opaque(PlainNode())
    let plain = try plainNode.observe("name") { counter.count(boxed: $0.new) }
    try compare("plain.setValue(text, forKey: \"name\"), an observer") {
      try plainNode.setValue(texts.first, forKey: "name")
    } with: {
      native.name = texts.first
    }
    plain.cancel()
    let record = opaque(try KVRecord(["c": 1]))
    let ofRecord = try record.observe("c") { counter.count(boxed: $0.new) }
    var dictionary: [String: Any] = opaque(["c": 1])
    compare("record.c = 7, an observer", { record.c = 7 }) {
      dictionary["c"] = 7
      counter.count(boxed: 7)
    }
    ofRecord.cancel()
    let target = opaque(Node())
    let binding = try target.bind("name", to: "name", of: node)
    let bound = opaque(WatchedNode())
    let nativeTarget = opaque(NativeNode())
    bound.handler = { [weak nativeTarget] _, new in
      if let nativeTarget, nativeTarget.name != new { nativeTarget.name = new }
    }
    let turns = Turns(texts)
    compare("node.name = text, bound", { node.name = turns.next }) { bound.name = turns.next }
    binding.cancel()
    compare("KVCoalescing.coalesce { }", { KVCoalescing.coalesce { counter.count() } }) { counter.count() }
  }
}

/// Two values by turns, without a branch that the processor could mispredict.
final class Turns<Value> {
  private let values: [Value]
  private var turn = 0

  init(_ values: Alternating<Value>) { self.values = [values.first, values.second] }

  /// The other value.
  var next: Value {
    turn ^= 1
    return values[turn]
  }
}

/// A class without the library that has a struct.
final class PlainOrder {
  var customer: PlainCustomer

  init(customer: PlainCustomer) { self.customer = customer }
}

/// A struct without a table.
struct PlainCustomer {
  var name = ""
  var city = ""
}
