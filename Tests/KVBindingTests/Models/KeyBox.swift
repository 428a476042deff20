import KVBinding
import KVCore

struct BoxSize: KeyValueCoding, Equatable {
  var width = 1.0
  var height = 1.0
  static var keyTable: KVTable {
    KVTable(BoxSize.self) { key in
      key("width", \.width)
      key("height", \.height)
    }
  }
}

/// A value that cannot be compared.
struct Incomparable { var number = 0 }

/// A model with keys of many kinds, for both endpoints of bindings.
final class KeyBox: KVObject {
  @KVProperty var name = "a"
  @KVProperty var number = 0
  @KVProperty var price = 1.0
  @KVProperty var note: String?
  @KVProperty var amount: Double?
  @KVProperty var size = BoxSize()
  @KVProperty var maybeSize: BoxSize?
  @KVProperty var next: KeyBox?
  @KVProperty var items: [KeyBox] = []
  @KVProperty var rows: [String] = []
  /// Never holds more than three.
  @KVProperty var few: [String] = [] { didSet { if few.count > 3 { few = Array(few.prefix(3)) } } }
  @KVProperty var scores: [String: Int] = [:]
  @KVProperty var opaque = Incomparable()
  @KVProperty var marks: Set<String> = []
  @KVProperty var first = "A"
  @KVProperty var last = "B"
  /// 0 to 10 only.
  @KVProperty var limited = 0 { didSet { if !(0...10).contains(limited) { limited = min(max(limited, 0), 10) } } }
  var manual = 0
  var fullName: String {
    get { "\(first) \(last)" }
    set {
      let parts = newValue.split(separator: " ", maxSplits: 1).map(String.init)
      first = parts.first ?? ""
      last = parts.count > 1 ? parts[1] : ""
    }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: KeyBox.self) { key in
      key("name", \.name)
      key("number", \.number)
      key("price", \.price)
      key("note", \.note)
      key("amount", \.amount)
      key("size", \.size)
      key("maybeSize", \.maybeSize)
      key("next", \.next)
      key("items", \.items)
      key("rows", \.rows).validated { (value: [String]) in
        value.contains("bad") ? .replaced(with: value.filter { $0 != "bad" }) : .valid
      }
      key("few", \.few)
      key("scores", \.scores)
      key("opaque", \.opaque)
      key("marks", \.marks)
      key("first", \.first)
      key("last", \.last)
      key("limited", \.limited)
      key("manual", \.manual).notifiesManually()
      key("fullName", \.fullName).affected(by: "first", "last")
      key("shout") { $0.name.uppercased() }.affected(by: "name")
    }
  }
}

/// What transformers and bodies of transactions throw.
struct BoxFailure: Error {}
