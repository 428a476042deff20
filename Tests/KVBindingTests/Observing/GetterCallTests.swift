import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.1: a getter is called only for observers that want its value")
struct GetterCallTests {
  private let model = CountedGetters()

  private func calls(_ observed: [(String, KVObservingOptions)], _ change: () throws -> Void) throws -> Int {
    let tokens = try observed.map { key, options in try model.observe(key, options: options) { _ in } }
    model.calls = 0
    try change()
    tokens.forEach { $0.cancel() }
    return model.calls
  }

  @Test("KVO.1: a write by key reads at most once before and once after, only if somebody wants it")
  func writes() throws {
    let write = { [model] in try model.setValue(5, forKey: "size") }
    #expect(try calls([("size", [])], write) == 0)
    #expect(try calls([("size", .old)], write) == 1)
    #expect(try calls([("size", .new)], write) == 1)
    #expect(try calls([("size", [.old, .new]), ("size", [.old, .new]), ("size", .new)], write) == 2)
    #expect(try calls([("size", [.prior])], write) == 0)
    #expect(try calls([("size", [.prior, .old]), ("size", .distinct)], write) == 2)
    let label = Villager()
    try label.bind("age", to: "size", of: model)
    model.calls = 0
    try model.setValue(6, forKey: "size")
    #expect(model.calls == 1 && label.age == 6)
    label.unbindAll()
  }

  @Test("KVO.1, TAB.10: the same for a setter that throws, whether it does or not")
  func throwingSetters() throws {
    for value in [5, -1] {
      let write = { [model] in #expect(((try? model.setValue(value, forKey: "strict")) != nil) == (value > 0)) }
      #expect(try calls([("strict", [])], write) == 0)
      #expect(try calls([("strict", .old)], write) == 1)
      #expect(try calls([("strict", [.prior])], write) == 0)
      #expect(try calls([("strict", [.old, .new])], write) == (value > 0 ? 2 : 1))
    }
  }

  @Test("KVO.1: observers of a dependent key share one call before and one after")
  func dependents() throws {
    let set = { [model] in model.width += 1 }
    #expect(try calls([("area", [])], set) == 0)
    #expect(try calls([("area", [.old, .new]), ("area", [.old, .new]), ("area", .new)], set) == 2)
    #expect(try calls([("area", .new), ("area", .new)], set) == 1)
  }

  @Test("KVO.1: observers of longer paths share the calls of the last getter with those of the key")
  func paths() throws {
    let holder = GetterHolder(model)
    let tokens = try [("model.area", holder as KVObject), ("model.area", holder), ("area", model)].map { path, root in
      try root.observe(path as String, options: [.old, .new]) { _ in }
    }
    model.calls = 0
    model.width += 1
    #expect(model.calls == 2)
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.1: a key that a hook answers")
  func hooks() throws {
    let write = { [model] in try model.setValue(1, forKey: "hooked") }
    #expect(try calls([("hooked", [])], write) == 0)
    #expect(try calls([("hooked", [.old, .new])], write) == 2)
  }

  @Test("KVO.1, KVO.11: values behind a struct are those before and after, whichever of them is wanted")
  func tails() throws {
    let person = Villager()
    let log = ChangeLines()
    for (options, line) in [
      ([.old], "1 → nil"), ([.new], "nil → 2"), ([.old, .new], "1 → 2"),
    ] as [(KVObservingOptions, String)] {
      person.home.street.number = 1
      let token = try log.watch(person, "home.street.number", options)
      try person.setValue(2, forKeyPath: "home.street.number")
      #expect(log.take() == ["home.street.number setting \(line)"])
      token.cancel()
    }
  }

  @Test(
    "KVO.4, KVO.5: with .distinct a prior notification may precede a setting of an equal value, which does not notify")
  func priorOfEqual() throws {
    let person = Villager("Ada")
    let log = ChangeLines()
    let token = try log.watch(person, "name", [.old, .new, .prior, .distinct])
    person.name = "Ada"
    #expect(log.lines == ["name setting prior Ada → nil"])
    token.cancel()
  }
}

private struct Refused: Error {}

private final class GetterHolder: KVObject {
  @KVProperty var model: CountedGetters

  init(_ model: CountedGetters) { self.model = model }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: GetterHolder.self) { key in key("model", \.model) }
  }
}

private final class CountedGetters: KVObject {
  @KVProperty var width = 1
  private var stored = 1
  private var hooked = 1
  var calls = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountedGetters.self, listedKeysOnly: true) { key in
      key("width", \.width)
      key(
        "size",
        { model in
          model.calls += 1
          return model.stored
        }, set: { $0.stored = $1 })
      key(
        "strict",
        { model in
          model.calls += 1
          return model.stored
        },
        set: { model, value in
          if value < 0 { throw Refused() }
          model.stored = value
        })
      key("area") { model in
        model.calls += 1
        return model.width * 2
      }.affected(by: "width")
    }
  }

  override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    guard key == "hooked" else { return try super.value(forUndefinedKey: key) }
    calls += 1
    return hooked
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    guard key == "hooked", let value = value as? Int else {
      return try super.setValue(value, forUndefinedKey: key)
    }
    hooked = value
  }
}
