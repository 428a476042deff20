import KVTestSupport

// Models whose dependencies do not comply.

/// Depends on a property that tells nobody of anything.
final class UnobservableDependency: KVObject {
  private var price = 1.0
  var total: Double { price * 2 }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UnobservableDependency.self) { key in key("total", \.total).affected(by: "price") }
  }
}

/// Depends on the property of an object that nobody can observe.
final class UnobservablePath: KVObject {
  final class Owner: KeyValueCoding {
    var name = "Ada"

    static var keyTable: KVTable { KVTable(Owner.self) { key in key("name", \.name) } }
  }
  @KVProperty private var owner = Owner()
  var greeting: String { "Hello, \(owner.name)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UnobservablePath.self) { key in
      key("owner", \.owner)
      key("greeting", \.greeting).affected(by: "owner.name")
    }
  }
}

/// Depends on a key of an object that does not say what it depends on in its turn.
final class UnobservableEnd: KVObject {
  @KVProperty private var sender = Undeclared()
  var bill: String { "\(sender.total)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UnobservableEnd.self) { key in
      key("sender", \.sender)
      key("bill", \.bill).affected(by: "sender.total")
    }
  }
}

/// Depends on a key of its elements whose setter does not notify.
final class SilentElements: KVObject {
  final class Part: KVObject {
    @KVProperty var price = 1

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Part.self) { key in key("price", \.price).notifiesManually() }
    }
  }
  @KVProperty var parts = [Part()]
  var total: Int { parts.reduce(0) { $0 + $1.price } }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: SilentElements.self) { key in
      key("parts", \.parts)
      key("total", \.total).affected(by: "parts.@sum.price")
    }
  }
}

/// Depends on a key of elements of which nobody tells when others take their place.
final class SilentArray: KVObject {
  final class Part: KVObject {
    @KVProperty var price = 1

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Part.self) { key in key("price", \.price) }
    }
  }
  final class Owner: KeyValueCoding {
    var parts = [Part()]

    static var keyTable: KVTable { KVTable(Owner.self) { key in key("parts", \.parts) } }
  }
  @KVProperty private var owner = Owner()
  var total: Int { owner.parts.reduce(0) { $0 + $1.price } }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: SilentArray.self) { key in
      key("owner", \.owner)
      key("total", \.total).affected(by: "owner.parts.@sum.price")
    }
  }
}

/// Depends on a key of its elements whose setter does not notify, and which it names by the value itself.
final class SilentSizes: KVObject {
  struct Size: KeyValueCoding, Equatable {
    var width = 1

    static var keyTable: KVTable { KVTable(Size.self) { key in key("width", \.width) } }
  }
  final class Part: KVObject {
    @KVProperty var size = Size()

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Part.self) { key in key("size", \.size).notifiesManually() }
    }
  }
  @KVProperty var parts = [Part()]
  var total: Int { parts.reduce(0) { $0 + $1.size.width } }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: SilentSizes.self) { key in
      key("parts", \.parts)
      key("total", \.total).affected(by: "parts.@unionOfObjects.size.self")
    }
  }
}

/// Depends on a key of its elements.
final class HeardElements: KVObject {
  final class Part: KVObject {
    @KVProperty var price = 1

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Part.self) { key in key("price", \.price) }
    }
  }
  @KVProperty var parts = [Part()]
  var total: Int { parts.reduce(0) { $0 + $1.price } }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: HeardElements.self) { key in
      key("parts", \.parts)
      key("total", \.total).affected(by: "parts.@sum.price")
    }
  }
}

/// Does not say what it depends on.
final class Undeclared: KVObject {
  @KVProperty var price = 1.0
  @KVProperty var count = 2
  var total: Double { price * Double(count) }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Undeclared.self) { key in
      key("price", \.price)
      key("count", \.count)
      key("total", \.total)
    }
  }
}

/// Changes a key behind its observers' backs when another one is set.
final class SideEffect: KVObject {
  @KVProperty var name = "a" { didSet { stored += 1 } }
  private var stored = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: SideEffect.self) { key in
      key("name", \.name)
      key("changes") { $0.stored }
    }
  }
}
