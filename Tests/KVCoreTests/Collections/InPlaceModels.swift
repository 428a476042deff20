import KVCore

/// Arrays that are stored in all the ways that matter for edits in place.
class StockRoom: KVObject {
  @KVProperty var items: [StockItem] = []
  @KVProperty var numbers = [1.0, 2.0, 3.0]
  @KVProperty var observed: [Int] = [] {
    didSet { log.append("didSet \(oldValue) → \(observed)") }
  }
  @KVProperty var announced: [Int] = [] {
    willSet { log.append("willSet \(announced) → \(newValue)") }
  }
  /// Set with a changed copy, since its line has a key path only.
  @KVProperty var copied: [Int] = [] {
    willSet { log.append("willSet \(copied) → \(newValue)") }
  }
  /// What observers in the class saw.
  var log: [String] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: StockRoom.self) { key in
      key("items", \.items).inPlace { $1(&$0.items) }
      key("numbers", \.numbers).inPlace { $1(&$0.numbers) }
      key("observed", \.observed).inPlace { $1(&$0.observed) }
      key("announced", \.announced).inPlace { $1(&$0.announced) }
      key("copied", \.copied)
    }
  }
}

/// Overrides a property that it does not declare.
final class LoggingStockRoom: StockRoom {
  override var numbers: [Double] {
    get { super.numbers }
    set {
      log.append("set \(newValue)")
      super.numbers = newValue
    }
  }
}

/// Stores arrays without wrappers.
final class PlainStockRoom: KVObject {
  var items: [StockItem] = []
  var numbers = [1.0, 2.0, 3.0]
  var observed: [Int] = [] {
    didSet { log.append("didSet \(oldValue) → \(observed)") }
  }
  var log: [String] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: PlainStockRoom.self) { key in
      key("items", \.items)
      key("numbers", \.numbers)
      key("observed", \.observed)
    }
  }
}

/// An element that looks at the array it was in while it dies.
final class StockItem {
  var deinitHandler: () -> Void = {}
  deinit { deinitHandler() }
}
