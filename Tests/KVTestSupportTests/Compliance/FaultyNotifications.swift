import KVTestSupport

// Models whose observing does not comply, each in one respect.

/// Says that it tells by hand, and does not.
final class NeverNotified: KVObject {
  @KVProperty var mode = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: NeverNotified.self) { key in key("mode", \.mode).notifiesManually() }
  }
}

/// Lists one property twice, and the wrong one of the names tells.
final class ListedTwice: KVObject {
  @KVProperty var name = "a"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ListedTwice.self) { key in
      key("title", \.name)
      key("name", { $0.name }, set: { $0.name = $1 })
    }
  }
}

/// Tells by hand what is told anyway.
final class NotifiedTwice: KVObject {
  private var stored = 1
  var count: Int {
    get { stored }
    set { withChange(forKey: "count") { stored = newValue } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: NotifiedTwice.self) { key in key("count", \.count) }
  }
}

/// Tells two times of each change.
final class TwoBrackets: KVObject {
  private var stored = 1
  var count: Int {
    get { stored }
    set { withChange(forKey: "count") { withChange(forKey: "count") { stored = newValue } } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TwoBrackets.self) { key in key("count", \.count).notifiesManually() }
  }
}

/// Tells by hand what a key that it sets tells as well.
final class NotifiedByTwoKeys: KVObject {
  @KVProperty var kelvin = 1
  var celsius: Int {
    get { kelvin }
    set { withChange(forKey: "celsius") { kelvin = newValue } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: NotifiedByTwoKeys.self) { key in
      key("celsius", \.celsius).affected(by: "kelvin")
      key("kelvin", \.kelvin)
    }
  }
}

/// Stores what should be observable in a plain property.
final class PlainProperty: KVObject {
  var cache = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: PlainProperty.self) { key in key("cache", \.cache) }
  }
}

/// The same where the key is read-only.
final class PlainReadOnly: KVObject {
  private(set) var cache = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: PlainReadOnly.self) { key in key("cache", \.cache).readOnly() }
  }
}

/// Begins its bracket when the value has changed already.
final class LateBracket: KVObject {
  private var stored = 1
  var count: Int {
    get { stored }
    set {
      stored = newValue
      willChangeValue(forKey: "count")
      didChangeValue(forKey: "count")
    }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: LateBracket.self) { key in key("count", \.count).notifiesManually() }
  }
}

/// Ends its bracket before the value changes.
final class EarlyBracket: KVObject {
  private var stored = 1
  var count: Int {
    get { stored }
    set {
      willChangeValue(forKey: "count")
      didChangeValue(forKey: "count")
      stored = newValue
    }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: EarlyBracket.self) { key in key("count", \.count).notifiesManually() }
  }
}

/// Depends on a key that says that it tells by hand, and does not.
final class DependsOnUnnotified: KVObject {
  @KVProperty var mode = 1
  var text: String { "\(mode)" }
  var longText: String { "mode \(text)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: DependsOnUnnotified.self) { key in
      key("mode", \.mode).notifiesManually()
      key("text", \.text).affected(by: "mode")
      key("longText", \.longText).affected(by: "text")
    }
  }
}
