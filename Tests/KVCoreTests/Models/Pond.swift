import KVCore

/// An object with an optional struct that is larger than the memory that a walk has on the stack, and whose optional is
/// larger than the struct itself.
final class Pond: KVObject {
  struct Quad<Part> {
    var a, b, c, d: Part

    init(_ part: Part) { (a, b, c, d) = (part, part, part, part) }
  }

  struct Depths: KeyValueCoding {
    var first: UInt8 = 1
    var rest = Quad(Quad(Quad(Quad(Quad(7 as UInt8)))))

    static var keyTable: KVTable { KVTable(Depths.self) { key in key("first", \.first) } }
  }

  var depths: Depths? = Depths()

  override class var keyTable: KVTable { super.keyTable.extended(for: Pond.self) { key in key("depths", \.depths) } }
}
