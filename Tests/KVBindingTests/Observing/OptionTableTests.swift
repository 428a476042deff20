import KVBinding
import KVCore
import TestModels
import Testing

/// All sixteen sets of the options that say what is told, with every kind of change.
private let optionSets: [KVObservingOptions] = (0..<16).map { KVObservingOptions(rawValue: $0) }

@Suite("KVO.1: every set of options, every kind of change")
struct OptionTableTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  /// What the rules say of a change: KVO.3 of initial, KVO.4 and TOM.3 of prior, KVO.1 and TOM.1 of the rest.
  private func expected(
    _ key: String, _ options: KVObservingOptions, _ kind: String, at indexes: String = "", old: String = "nil",
    new: String = "nil"
  ) -> [String] {
    let oldText = options.contains(.old) ? old : "nil"
    let newText = options.contains(.new) ? new : "nil"
    var lines = ["\(key) \(kind)\(indexes) \(oldText) → \(newText)"]
    if options.contains(.prior) { lines.insert("\(key) \(kind) prior\(indexes) \(oldText) → nil", at: 0) }
    return lines
  }

  private func expectedInitial(_ key: String, _ options: KVObservingOptions, _ value: String) -> [String] {
    guard options.contains(.initial) else { return [] }
    return ["\(key) setting initial nil → \(options.contains(.new) ? value : "nil")"]
  }

  @Test("KVO.1: a set of a property", arguments: optionSets)
  func property(_ options: KVObservingOptions) throws {
    let token = try log.watch(person, "name", options)
    #expect(log.take() == expectedInitial("name", options, "Ada"))
    person.name = "Grace"
    #expect(log.take() == expected("name", options, "setting", old: "Ada", new: "Grace"))
    try person.setValue(nil, forKey: "name")
    #expect(log.take() == expected("name", options, "setting", old: "Grace"))
    token.cancel()
  }

  @Test("KVO.1: a write by key of a plain property", arguments: optionSets)
  func plainProperty(_ options: KVObservingOptions) throws {
    let token = try log.watch(person, "plain", options)
    #expect(log.take() == expectedInitial("plain", options, "plain"))
    try person.setValue("x", forKey: "plain")
    #expect(log.take() == expected("plain", options, "setting", old: "plain", new: "x"))
    token.cancel()
  }

  @Test("KVO.1: a manual change", arguments: optionSets)
  func byHand(_ options: KVObservingOptions) throws {
    let token = try log.watch(person, "plain", options)
    #expect(log.take() == expectedInitial("plain", options, "plain"))
    person.withChange(forKey: "plain") { person.plain = "x" }
    #expect(log.take() == expected("plain", options, "setting", old: "plain", new: "x"))
    token.cancel()
  }

  @Test("KVO.1: a component in the middle of a path, and its end", arguments: optionSets)
  func path(_ options: KVObservingOptions) throws {
    person.next = Villager("Bob")
    let token = try log.watch(person, "next.name", options)
    #expect(log.take() == expectedInitial("next.name", options, "Bob"))
    person.next?.name = "Rob"
    #expect(log.take() == expected("next.name", options, "setting", old: "Bob", new: "Rob"))
    person.next = Villager("Eve")
    #expect(log.take() == expected("next.name", options, "setting", old: "Rob", new: "Eve"))
    person.next = nil
    #expect(log.take() == expected("next.name", options, "setting", old: "Eve"))
    token.cancel()
  }

  @Test("DEP.3: a key that depends on another one", arguments: optionSets)
  func dependent(_ options: KVObservingOptions) throws {
    let token = try log.watch(person, "shout", options)
    #expect(log.take() == expectedInitial("shout", options, "Ada"))
    person.name = "Grace"
    #expect(log.take() == expected("shout", options, "setting", old: "Ada", new: "Grace"))
    token.cancel()
  }

  @Test("TOM.1, TOM.3: each kind of change of an array", arguments: optionSets)
  func array(_ options: KVObservingOptions) throws {
    person.rows = ["a", "b"]
    let token = try log.watch(person, "rows", options)
    #expect(log.take() == expectedInitial("rows", options, "[a, b]"))
    let rows = person.mutableArray(forKey: "rows")
    try rows.insert(["x", "y"], at: [0, 2])
    #expect(log.take() == expected("rows", options, "insertion", at: " at [0, 2]", new: "[x, y]"))
    try rows.remove(at: [0, 3])
    #expect(log.take() == expected("rows", options, "removal", at: " at [0, 3]", old: "[x, b]"))
    try rows.replace(at: 1, with: "Y")
    #expect(log.take() == expected("rows", options, "replacement", at: " at [1]", old: "[y]", new: "[Y]"))
    person.rows = ["z"]
    #expect(log.take() == expected("rows", options, "setting", old: "[a, Y]", new: "[z]"))
    token.cancel()
  }

  @Test("TOM.1, TOM.3: each kind of change of an array at the end of a path", arguments: optionSets)
  func arrayOfAPath(_ options: KVObservingOptions) throws {
    let next = Villager("Bob")
    next.rows = ["a", "b"]
    person.next = next
    let token = try log.watch(person, "next.rows", options)
    #expect(log.take() == expectedInitial("next.rows", options, "[a, b]"))
    let rows = try person.mutableArray(forKeyPath: "next.rows")
    try rows.append("x")
    #expect(log.take() == expected("next.rows", options, "insertion", at: " at [2]", new: "[x]"))
    try rows.remove(at: 0)
    #expect(log.take() == expected("next.rows", options, "removal", at: " at [0]", old: "[a]"))
    try rows.replace(at: 1, with: "Y")
    #expect(log.take() == expected("next.rows", options, "replacement", at: " at [1]", old: "[x]", new: "[Y]"))
    person.next = nil
    #expect(log.take() == expected("next.rows", options, "setting", old: "[b, Y]"))
    token.cancel()
  }

  @Test("TOM.1: manual changes of an array", arguments: optionSets)
  func arrayByHand(_ options: KVObservingOptions) throws {
    let shelf = HandmadeShelf()
    let token = try log.watch(shelf, "rows", options)
    _ = log.take()
    shelf.insert("x", at: 1)
    #expect(log.take() == expected("rows", options, "insertion", at: " at [1]", new: "[x]"))
    shelf.remove(at: 0)
    #expect(log.take() == expected("rows", options, "removal", at: " at [0]", old: "[a]"))
    shelf.replace(at: 1, with: "B")
    #expect(log.take() == expected("rows", options, "replacement", at: " at [1]", old: "[b]", new: "[B]"))
    token.cancel()
  }

  @Test("TOM.2, TOM.3: each kind of change of a set", arguments: optionSets)
  func set(_ options: KVObservingOptions) throws {
    person.tags = ["a", "b"]
    let token = try log.watch(person, "tags", options)
    #expect(log.take() == expectedInitial("tags", options, "{a, b}"))
    let tags = person.mutableSet(forKey: "tags")
    try tags.formUnion(["b", "c"])
    #expect(log.take() == expected("tags", options, "insertion", new: "[c]"))
    try tags.subtract(["a", "zz"])
    #expect(log.take() == expected("tags", options, "removal", old: "[a]"))
    try tags.formIntersection(["b", "q"])
    #expect(log.take() == expected("tags", options, "removal", old: "[c]"))
    try tags.set(["n"])
    #expect(log.take() == expected("tags", options, "replacement", old: "[b]", new: "[n]"))
    person.tags = []
    #expect(log.take() == expected("tags", options, "setting", old: "{n}", new: "{}"))
    token.cancel()
  }

  @Test("TOM.2: manual changes of a set", arguments: optionSets)
  func setByHand(_ options: KVObservingOptions) throws {
    let shelf = HandmadeShelf()
    let token = try log.watch(shelf, "tags", options)
    _ = log.take()
    shelf.add("x")
    #expect(log.take() == expected("tags", options, "insertion", new: "[x]"))
    shelf.drop("a")
    #expect(log.take() == expected("tags", options, "removal", old: "[a]"))
    token.cancel()
  }

  @Test("KVO.1: observers with different options of one key each receive what they requested")
  func together() throws {
    var tokens: [KVObservation] = []
    for options in optionSets { tokens.append(try log.watch(person, "name", options, as: options.description)) }
    _ = log.take()
    person.name = "Grace"
    let prior = optionSets.filter { $0.contains(.prior) }.map { options in
      "\(options): name setting prior \(options.contains(.old) ? "Ada" : "nil") → nil"
    }
    let after = optionSets.map { options in
      "\(options): name setting \(options.contains(.old) ? "Ada" : "nil") → \(options.contains(.new) ? "Grace" : "nil")"
    }
    #expect(log.take() == prior + after)
  }
}

/// Tells of changes of its collections by hand.
private final class HandmadeShelf: KVObject {
  private var rows = ["a", "b"]
  private var tags: Set<String> = ["a"]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: HandmadeShelf.self) { key in
      key("rows") { $0.rows }.notifiesManually()
      key("tags") { $0.tags }.notifiesManually()
    }
  }

  func insert(_ row: String, at index: Int) {
    willChange(.insertion, at: [index], forKey: "rows")
    rows.insert(row, at: index)
    didChange(.insertion, at: [index], forKey: "rows")
  }

  func remove(at index: Int) {
    willChange(.removal, at: [index], forKey: "rows")
    rows.remove(at: index)
    didChange(.removal, at: [index], forKey: "rows")
  }

  func replace(at index: Int, with row: String) {
    willChange(.replacement, at: [index], forKey: "rows")
    rows[index] = row
    didChange(.replacement, at: [index], forKey: "rows")
  }

  func add(_ tag: String) {
    willChange(.insertion, members: [tag], forKey: "tags")
    tags.insert(tag)
    didChange(.insertion, members: [tag], forKey: "tags")
  }

  func drop(_ tag: String) {
    willChange(.removal, members: [tag], forKey: "tags")
    tags.remove(tag)
    didChange(.removal, members: [tag], forKey: "tags")
  }
}
