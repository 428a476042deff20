import KVBinding
import KVCore

package struct BoxSize: KeyValueCoding, Equatable {
  package var width = 1.0
  package var height = 1.0

  package init(width: Double = 1, height: Double = 1) { (self.width, self.height) = (width, height) }

  package static var keyTable: KVTable {
    KVTable(BoxSize.self) { key in
      key("width", \.width)
      key("height", \.height)
    }
  }
}

/// A value that cannot be compared.
package struct Incomparable {
  package var number = 0

  package init(number: Int = 0) { self.number = number }
}

/// A model with keys of many kinds, for both endpoints of bindings.
package final class KeyBox: KVObject {
  @KVProperty package var name = "a"
  @KVProperty package var number = 0
  @KVProperty package var price = 1.0
  @KVProperty package var note: String?
  @KVProperty package var amount: Double?
  @KVProperty package var size = BoxSize()
  @KVProperty package var maybeSize: BoxSize?
  @KVProperty package var next: KeyBox?
  @KVProperty package var items: [KeyBox] = []
  @KVProperty package var rows: [String] = []
  /// Never holds more than three.
  @KVProperty package var few: [String] = [] { didSet { if few.count > 3 { few = Array(few.prefix(3)) } } }
  @KVProperty package var scores: [String: Int] = [:]
  @KVProperty package var opaque = Incomparable()
  @KVProperty package var marks: Set<String> = []
  @KVProperty package var first = "A"
  @KVProperty package var last = "B"
  /// 0 to 10 only.
  @KVProperty package var limited = 0 {
    didSet { if !(0...10).contains(limited) { limited = min(max(limited, 0), 10) } }
  }
  package var manual = 0
  package var fullName: String {
    get { "\(first) \(last)" }
    set {
      let parts = newValue.split(separator: " ", maxSplits: 1).map(String.init)
      first = parts.first ?? ""
      last = parts.count > 1 ? parts[1] : ""
    }
  }

  package override class var keyTable: KVTable {
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
package struct BoxFailure: Error {
  package init() {}
}
