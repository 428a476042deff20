import KVCore
import Testing

@Suite("COL.2: arrays edited where they are stored")
struct InPlaceEditTests {
  /// Returns where the elements of an array are kept.
  private func home(_ array: [StockItem]) -> UnsafeRawPointer? { array.withUnsafeBytes { $0.baseAddress } }

  private func stocked() -> [StockItem] {
    var crates: [StockItem] = []
    crates.reserveCapacity(64)
    for _ in 0..<8 { crates.append(StockItem()) }
    return crates
  }

  @Test(
    "COL.6: a @KVProperty whose line gives access in place is edited there from the first edit on",
    arguments: [false, true])
  func observableProperty(isObserved: Bool) throws {
    let room = StockRoom()
    room.items = stocked()
    let recorder = isObserved ? ShopRecorder.watch(room, "items") : nil
    let view = room.mutableArray(forKey: "items")
    let before = home(room.items)
    let crate = StockItem()
    try view.insert(crate, at: 4)
    #expect(room.items[4] === crate && room.items.count == 9)
    try view.replace(at: 4, with: StockItem())
    recorder?.forget()
    try view.remove(at: 4)
    #expect(home(room.items) == before)
    #expect(recorder?.lines.count ?? 6 == 6)
  }

  @Test("COL.6: no setter is called with another value than the new one", arguments: ["announced", "copied"])
  func trueValues(_ name: String) throws {
    let room = StockRoom()
    let recorder = ShopRecorder.watch(room, name)
    let view = room.mutableArray(forKey: name)
    try view.append(1)
    try view.append(2)
    try view.replace(at: 0, with: 3)
    try view.remove(at: 1)
    #expect(
      room.log == ["willSet [] → [1]", "willSet [1] → [1, 2]", "willSet [1, 2] → [3, 2]", "willSet [3, 2] → [3]"])
    #expect(recorder.lines.count == 8)
  }

  @Test("COL.2: a plain stored property is edited where it is stored, observed or not", arguments: [false, true])
  func plainProperty(isObserved: Bool) throws {
    let room = PlainStockRoom()
    room.items = stocked()
    let recorder = isObserved ? ShopRecorder.watch(room, "items") : nil
    let view = room.mutableArray(forKey: "items")
    let before = home(room.items)
    try view.insert(StockItem(), at: 4)
    try view.replace(at: 0, with: StockItem())
    try view.remove(at: 4)
    #expect(home(room.items) == before && room.items.count == 8)
    #expect(recorder?.lines.count ?? 6 == 6)
  }

  @Test(
    "TOM.1: edits in place are reported as others are, elements made to fit, others refused", arguments: [false, true])
  func notified(isPlain: Bool) throws {
    let room: KVObject = isPlain ? PlainStockRoom() : StockRoom()
    let recorder = ShopRecorder.watch(room, "numbers")
    let view = room.mutableArray(forKey: "numbers")
    for _ in 0..<2 {
      try view.append(4)
      #expect(recorder.take() == notifiedOnce("numbers insertion at [3] - → [4.0]"))
      try view.insert([5, 6], at: [0, 2])
      #expect(recorder.take() == notifiedOnce("numbers insertion at [0, 2] - → [5.0, 6.0]"))
      try view.replace(at: [1, 3], with: [7, 8])
      #expect(recorder.take() == notifiedOnce("numbers replacement at [1, 3] [1.0, 2.0] → [7.0, 8.0]"))
      try view.remove(at: [0, 2, 5])
      #expect(recorder.take() == notifiedOnce("numbers removal at [0, 2, 5] [5.0, 6.0, 4.0] → -"))
      #expect(try room.value(forKey: "numbers") as? [Double] == [7, 8, 3])
      try room.setValue([1.0, 2.0, 3.0], forKey: "numbers")
      _ = recorder.take()
      #expect(throws: KVError.self) { try view.append("x") }
      #expect(throws: KVError.self) { try view.insert(1, at: 5) }
      #expect(throws: KVError.self) { try view.remove(at: 3) }
      #expect(recorder.take() == [])
    }
  }

  @Test("COL.2: observers of the property in its class are called once an edit, with what it was")
  func propertyObservers() throws {
    let room = StockRoom()
    let plain = PlainStockRoom()
    _ = ShopRecorder.watch(room, "observed")
    _ = ShopRecorder.watch(plain, "observed")
    for view in [room.mutableArray(forKey: "observed"), plain.mutableArray(forKey: "observed")] {
      for number in 1...3 { try view.append(number) }
      try view.remove(at: 0)
    }
    let expected = [
      "didSet [] → [1]", "didSet [1] → [1, 2]", "didSet [1, 2] → [1, 2, 3]", "didSet [1, 2, 3] → [2, 3]",
    ]
    #expect(room.log == expected)
    #expect(plain.log == expected)
  }

  @Test("COL.2: a setter that a subclass overrides gets the whole changed array each time")
  func overrides() throws {
    let room = LoggingStockRoom()
    let recorder = ShopRecorder.watch(room, "numbers")
    let view = room.mutableArray(forKey: "numbers")
    // The superclass's own objects are edited in place; that says nothing of these.
    let other = StockRoom()
    _ = ShopRecorder.watch(other, "numbers")
    for _ in 0..<2 { try other.mutableArray(forKey: "numbers").append(0) }
    try view.append(4)
    try view.remove(at: 0)
    #expect(room.log == ["set [1.0, 2.0, 3.0, 4.0]", "set [2.0, 3.0, 4.0]"])
    #expect(recorder.lines.count == 4)
  }

  @Test("COL.2: an array that was copied before stays as it was")
  func values() throws {
    let room = StockRoom()
    _ = ShopRecorder.watch(room, "numbers")
    let view = room.mutableArray(forKey: "numbers")
    try view.append(4)
    let kept = room.numbers
    try view.append(5)
    try view.removeAll()
    #expect(kept == [1, 2, 3, 4] && room.numbers == [])
  }

  @Test("COL.2: an element that is removed may read the array in its deinit", arguments: [false, true], [false, true])
  func dyingElements(isPlain: Bool, isObserved: Bool) throws {
    let room: KVObject = isPlain ? PlainStockRoom() : StockRoom()
    if isObserved {
      let recorder = ShopRecorder.watch(room, "items")
      recorder.afterwards = { [unowned recorder] _ in recorder.forget() }
    }
    var seen: [Int] = []
    let view = room.mutableArray(forKey: "items")
    for _ in 0..<3 {
      let crate = StockItem()
      crate.deinitHandler = { [unowned room] in
        seen.append(((try? room.value(forKey: "items")) as? [StockItem])?.count ?? -1)
      }
      try view.append(crate)
    }
    try view.replace(at: 1, with: StockItem())
    try view.remove(at: 0)
    try view.removeAll()
    #expect(seen == [3, 2, 0])
  }

  @Test("KVO.7: a handler that edits the array while it is notified of an edit is notified inside it")
  func reentrant() throws {
    let room = StockRoom()
    let recorder = ShopRecorder.watch(room, "numbers")
    let view = room.mutableArray(forKey: "numbers")
    recorder.afterwards = { [unowned room] _ in if room.numbers.count < 6 { try? view.append(room.numbers.count) } }
    defer { recorder.afterwards = nil }  // the view refers to the object, which refers to its recorder
    try view.append(0)
    #expect(room.numbers == [1, 2, 3, 0, 4, 5])
    #expect(recorder.lines.count == 6)
  }

  @Test("KVC.14: an array that a willChange observer makes too short is not edited out of its bounds")
  func shrinking() throws {
    let room = StockRoom()
    let recorder = ShopRecorder.watch(room, "numbers")
    let view = room.mutableArray(forKey: "numbers")
    try view.append(4)
    recorder.before = { [weak recorder] _ in
      recorder?.before = nil
      room.numbers = [1]
    }
    #expect(throws: KVError.self) { try view.remove(at: 3) }
    #expect(room.numbers == [1])
  }
}
