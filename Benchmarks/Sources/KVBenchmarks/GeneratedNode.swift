import KVCore

/// The model `Node` as the macro makes it.
@KVModel final class GeneratedNode: KVObject {
  var name: String = ""
  var age: Int = 0
  var d1: Double = 0.0
  var i2: Int = 0
  var b3: Bool = false
  var s4: String = ""
  var l5: Int64 = 0
  var next: GeneratedNode?
  var items: [Int] = []
}

/// The same by hand, with an array.
final class HandmadeNode: KVObject {
  @KVProperty var name: String = ""
  @KVProperty var age: Int = 0
  @KVProperty var d1: Double = 0.0
  @KVProperty var i2: Int = 0
  @KVProperty var b3: Bool = false
  @KVProperty var s4: String = ""
  @KVProperty var l5: Int64 = 0
  @KVProperty var next: HandmadeNode?
  @KVProperty var items: [Int] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: HandmadeNode.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("d1", \.d1)
      key("i2", \.i2)
      key("b3", \.b3)
      key("s4", \.s4)
      key("l5", \.l5)
      key("next", \.next)
      key("items", \.items).inPlace { $1(&$0.items) }
    }
  }
}
