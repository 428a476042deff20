import KVBinding
import Testing

@Suite("COL.5: edits of one element, observed and unobserved")
struct ElementEditTests {
  /// Makes each edit of one element, by methods for one element or for several.
  private func edit(_ view: KVMutableArray, _ tray: Tray, inBulk: Bool) throws {
    let (tea, milk, salt) = (tray.known[0], tray.known[1], tray.known[2])
    if inBulk {
      try view.append(contentsOf: [tea])
      try view.insert([milk], at: [0])
      try view.replace(at: [1], with: [salt])
      try view.remove(at: [0])
      try view.remove(at: [view.count - 1])
    } else {
      try view.append(tea)
      try view.insert(milk, at: 0)
      try view.replace(at: 1, with: salt)
      try view.remove(at: 0)
      #expect(try view.removeLast() as? Spice === salt)
    }
  }

  private func line(_ change: KVChange) -> String {
    func text(_ value: Any?) -> String { (value as? [Spice])?.map(\.name).joined(separator: ",") ?? "\(value as Any)" }
    return "\(change.kind) \(change.indexes ?? []) \(text(change.old)) \(text(change.new))"
  }

  @Test(
    "COL.5: an observer receives the same records of edits of one element as of edits in bulk",
    arguments: ["wrapped", "plain", "copied"], [[.old, .new] as KVObservingOptions, [.new, .old, .prior], [.new], []])
  func records(_ key: String, _ options: KVObservingOptions) throws {
    var lines: [[String]] = []
    for inBulk in [false, true] {
      let tray = Tray()
      var received: [String] = []
      let token = try tray.observe(key, options: options) { received.append(line($0)) }
      try edit(tray.mutableArray(forKey: key), tray, inBulk: inBulk)
      token.cancel()
      lines.append(received)
      #expect(tray.isEmpty)
    }
    #expect(lines[0] == lines[1])
    #expect(lines[0].count == (options.contains(.prior) ? 10 : 5))
  }

  @Test("COL.5: elements that have to be converted, and wrong indexes, take the same way as edits in bulk")
  func conversions() throws {
    let tray = Tray()
    let numbers = tray.mutableArray(forKey: "numbers")
    try numbers.append(1)
    try numbers.append(2.0)
    try numbers.insert(Int8(3), at: 0)
    #expect(tray.numbers == [3, 1, 2])
    #expect(throws: KVError.self) { try numbers.append("x") }
    for index in [-1, 4, .max] {
      let error = #expect(throws: KVError.self) { try numbers.insert(1.0, at: index) }
      let bulk = #expect(throws: KVError.self) { try numbers.insert([1.0], at: [index]) }
      #expect(error?.code == .indexOutOfRange && error?.message == bulk?.message)
    }
    #expect(throws: KVError.self) { try numbers.remove(at: 3) }
    #expect(throws: KVError.self) { try numbers.replace(at: 3, with: 1.0) }
    #expect(tray.numbers == [3, 1, 2])
    #expect(try numbers.removeLast() as? Double == 2)
    try numbers.removeAll()
    #expect(throws: KVError.self) { try numbers.removeLast() }
  }

  @Test("COL.5: an array of optionals takes a nil and gives it back")
  func optionals() throws {
    let tray = Tray()
    var received: [String] = []
    let token = try tray.observe("gaps") { received.append("\($0.old as Any) \($0.new as Any)") }
    let gaps = tray.mutableArray(forKey: "gaps")
    try gaps.append(Int?.some(1) as Any)
    try gaps.append(Int?.none as Any)
    #expect(tray.gaps == [1, nil])
    #expect(try gaps.removeLast() == nil)
    #expect(try gaps.removeLast() as? Int == 1)
    #expect(received.count == 4)
    token.cancel()
  }

  @Test("COL.6: a removed element is released after the access to the property")
  func deinitialization() throws {
    let tray = Tray()
    var counts: [Int] = []
    for key in ["wrapped", "plain"] {
      let view = tray.mutableArray(forKey: key)
      do {
        let spice = Spice("pepper")
        spice.deinitHandler = { [unowned tray] in counts.append(tray.wrapped.count + tray.plain.count) }
        try view.append(spice)
      }
      try view.remove(at: 0)
    }
    #expect(counts == [0, 0])
  }

  @Test("COL.4: a manual key is edited without a notification, and a subclass's override is edited by its setter")
  func otherLines() throws {
    let tray = SortingTray()
    var count = 0
    let token = try tray.observe("quiet") { _ in count += 1 }
    try tray.mutableArray(forKey: "quiet").append(tray.known[0])
    #expect(count == 0 && tray.quiet.count == 1)
    token.cancel()
    let view = tray.mutableArray(forKey: "wrapped")
    try view.append(tray.known[0])
    try view.append(tray.known[1])
    #expect(tray.wrapped.map(\.name) == ["milk", "tea"])
    #expect(tray.sets == 2)
  }

  @Test("COL.2: an edit through a path of objects edits the last one's array")
  func paths() throws {
    let tray = Tray()
    tray.below = Tray()
    let view = try tray.mutableArray(forKeyPath: "below.plain")
    try view.append(tray.known[0])
    #expect(tray.below?.plain.count == 1 && tray.plain.isEmpty)
    tray.below = nil
    #expect(throws: KVError.self) { try view.append(tray.known[0]) }
  }

  @Test("COL.5: edits of one element are undone with a failed transaction, and merge in a scope")
  func scopes() throws {
    let tray = Tray()
    tray.plain = [tray.known[0]]
    let view = tray.mutableArray(forKey: "plain")
    #expect(throws: CancellationError.self) {
      try KVTransaction.run { () throws in
        try view.append(tray.known[1])
        try view.remove(at: 0)
        throw CancellationError()
      }
    }
    #expect(tray.plain.map(\.name) == ["tea"])
    var received: [String] = []
    let token = try tray.observe("plain", options: [.old, .new, .coalesced]) { received.append(line($0)) }
    try KVCoalescing.coalesce {
      try view.insert(tray.known[1], at: 0)
      try view.append(tray.known[2])
    }
    #expect(received == ["insertion [0, 2] nil milk,salt"])
    token.cancel()
  }
}

/// An element that tells when it dies.
private final class Spice: KVObject {
  let name: String
  var deinitHandler: () -> Void = {}
  init(_ name: String) { self.name = name }
  deinit { deinitHandler() }
}

/// Arrays that can be edited where they are stored, and one that cannot.
private class Tray: KVObject {
  let known = [Spice("tea"), Spice("milk"), Spice("salt")]
  @KVProperty var wrapped: [Spice] = []
  @KVProperty var copied: [Spice] = []
  @KVProperty var below: Tray?
  var plain: [Spice] = []
  var quiet: [Spice] = []
  var numbers: [Double] = []
  var gaps: [Int?] = []
  var isEmpty: Bool { wrapped.isEmpty && copied.isEmpty && plain.isEmpty }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Tray.self) { key in
      key("wrapped", \.wrapped).inPlace { $1(&$0.wrapped) }
      key("copied", \.copied)
      key("below", \.below)
      key("plain", \.plain)
      key("quiet", \.quiet).notifiesManually()
      key("numbers", \.numbers)
      key("gaps", \.gaps)
    }
  }
}

/// Overrides the property that its superclass's line edits.
private final class SortingTray: Tray {
  var sets = 0
  override var wrapped: [Spice] {
    get { super.wrapped }
    set {
      sets += 1
      super.wrapped = newValue.sorted { $0.name < $1.name }
    }
  }
}
