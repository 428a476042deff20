import KVCore

// The models, each with the same eight properties; they differ in one thing at a time.

/// The model as the guides write it: a final class, observable properties, a table of key paths.
final class Node: KVObject {
  @KVProperty var name: String = ""
  @KVProperty var age: Int = 0
  @KVProperty var d1: Double = 0.0
  @KVProperty var i2: Int = 0
  @KVProperty var b3: Bool = false
  @KVProperty var s4: String = ""
  @KVProperty var l5: Int64 = 0
  @KVProperty var next: Node?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Node.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("d1", \.d1)
      key("i2", \.i2)
      key("b3", \.b3)
      key("s4", \.s4)
      key("l5", \.l5)
      key("next", \.next)
    }
  }
}

/// Properties that may be nil.
final class BlankNode: KVObject {
  @KVProperty var name: String?
  @KVProperty var age: Int?

  init(name: String?, age: Int?) {
    self.name = name
    self.age = age
    super.init()
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: BlankNode.self) { key in
      key("name", \.name)
      key("age", \.age)
    }
  }
}

/// The table is made of closures.
final class ClosureNode: KVObject {
  @KVProperty var name: String = ""
  @KVProperty var age: Int = 0
  @KVProperty var d1: Double = 0.0
  @KVProperty var i2: Int = 0
  @KVProperty var b3: Bool = false
  @KVProperty var s4: String = ""
  @KVProperty var l5: Int64 = 0
  @KVProperty var next: ClosureNode?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ClosureNode.self) { key in
      key("name", { $0.name }, set: { $0.name = $1 })
      key("age", { $0.age }, set: { $0.age = $1 })
      key("d1", { $0.d1 }, set: { $0.d1 = $1 })
      key("i2", { $0.i2 }, set: { $0.i2 = $1 })
      key("b3", { $0.b3 }, set: { $0.b3 = $1 })
      key("s4", { $0.s4 }, set: { $0.s4 = $1 })
      key("l5", { $0.l5 }, set: { $0.l5 = $1 })
      key("next", { $0.next }, set: { $0.next = $1 })
    }
  }
}

/// The properties are plain, so that nothing tells of their changes.
final class PlainNode: KVObject {
  var name: String = ""
  var age: Int = 0
  var d1: Double = 0.0
  var i2: Int = 0
  var b3: Bool = false
  var s4: String = ""
  var l5: Int64 = 0
  var next: PlainNode?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: PlainNode.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("d1", \.d1)
      key("i2", \.i2)
      key("b3", \.b3)
      key("s4", \.s4)
      key("l5", \.l5)
      key("next", \.next)
    }
  }
}

/// A class that is not final.
class BaseNode: KVObject {
  @KVProperty var name: String = ""
  @KVProperty var age: Int = 0
  @KVProperty var d1: Double = 0.0
  @KVProperty var i2: Int = 0
  @KVProperty var b3: Bool = false
  @KVProperty var s4: String = ""
  @KVProperty var l5: Int64 = 0
  @KVProperty var next: BaseNode?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: BaseNode.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("d1", \.d1)
      key("i2", \.i2)
      key("b3", \.b3)
      key("s4", \.s4)
      key("l5", \.l5)
      key("next", \.next)
    }
  }
}

/// A subclass with a key of its own.
final class DerivedNode: BaseNode {
  @KVProperty var extra = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: DerivedNode.self) { key in key("extra", \.extra) }
  }
}

/// A class that any module may inherit from: so that the compiler cannot know who overrides what.
open class OpenNode: KVObject {
  @KVProperty open var name: String = ""
  @KVProperty open var age: Int = 0
  @KVProperty open var d1: Double = 0.0
  @KVProperty open var i2: Int = 0
  @KVProperty open var b3: Bool = false
  @KVProperty open var s4: String = ""
  @KVProperty open var l5: Int64 = 0
  @KVProperty open var next: OpenNode?

  override open class var keyTable: KVTable {
    super.keyTable.extended(for: OpenNode.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("d1", \.d1)
      key("i2", \.i2)
      key("b3", \.b3)
      key("s4", \.s4)
      key("l5", \.l5)
      key("next", \.next)
    }
  }
}

/// A class with no superclass, which stores the slot itself.
final class SlotNode: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  @KVProperty var name: String = ""
  @KVProperty var age: Int = 0
  @KVProperty var d1: Double = 0.0
  @KVProperty var i2: Int = 0
  @KVProperty var b3: Bool = false
  @KVProperty var s4: String = ""
  @KVProperty var l5: Int64 = 0
  @KVProperty var next: SlotNode?

  static var keyTable: KVTable {
    KVTable(SlotNode.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("d1", \.d1)
      key("i2", \.i2)
      key("b3", \.b3)
      key("s4", \.s4)
      key("l5", \.l5)
      key("next", \.next)
    }
  }
}

/// A class with no superclass and a plain property, of which a write by key notifies.
final class PlainSlotNode: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  var name: String = ""

  static var keyTable: KVTable { KVTable(PlainSlotNode.self) { key in key("name", \.name) } }
}

/// No table: every read goes through a mirror.
final class ReflectedNode: KVObject {
  @KVProperty var name: String = ""
  @KVProperty var age: Int = 0
  @KVProperty var d1: Double = 0.0
  @KVProperty var i2: Int = 0
  @KVProperty var b3: Bool = false
  @KVProperty var s4: String = ""
  @KVProperty var l5: Int64 = 0
  @KVProperty var next: ReflectedNode?
}

/// A value with a table.
struct StructNode: KeyValueCoding {
  var name: String = ""
  var age: Int = 0
  var d1: Double = 0.0
  var i2: Int = 0
  var b3: Bool = false
  var s4: String = ""
  var l5: Int64 = 0
  var next: Int?

  static var keyTable: KVTable {
    KVTable(StructNode.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("d1", \.d1)
      key("i2", \.i2)
      key("b3", \.b3)
      key("s4", \.s4)
      key("l5", \.l5)
      key("next", \.next)
    }
  }
}

/// A key that is too long for a string to store inline.
final class LongKeyNode: KVObject {
  @KVProperty var theNameThatIsSpelledOut = ""
  @KVProperty var age = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: LongKeyNode.self) { key in
      key("theNameThatIsSpelledOut", \.theNameThatIsSpelledOut)
      key("age", \.age)
    }
  }
}
