import KVBinding

// The models of the README and the guides, and the same without the library.

@KVModel final class Cart: KVObject {
  var customer = Client()
  var lines: [CartLine] = []
  var total: Double { lines.reduce(0) { $0 + $1.price } }
}

@KVModel struct Client {
  var name = "Ada"
  var city: String?
}

/// Without a table, so that it is reflected.
struct CartLine: Equatable {
  var title: String
  var price: Double
}

final class NativeCart {
  var customer = PlainCustomer()
  var lines: [CartLine] = [] { didSet { handler?(Self.total(oldValue), total) } }
  var total: Double { Self.total(lines) }
  var handler: ((_ old: Double, _ new: Double) -> Void)?

  private static func total(_ lines: [CartLine]) -> Double { lines.reduce(0) { $0 + $1.price } }
}

@KVModel final class Member: KVObject {
  var name = ""
  var age = 0
  var level = 0 { didSet { if level > 10 { level = 10 } } }
  @KVKey(.validated(by: checkPort)) var port = 80
  var boss: Member?
  var friends: [Member] = []
  var tags: Set<String> = []
  var initial: String { String(name.prefix(1)) }
  var years: Double {
    get { Double(age) }
    set { age = Int(newValue) }
  }

  func checkPort(_ port: Int) throws -> KVValidation { port < 0 ? .replaced(with: 80) : .valid }
}

final class NativeMember {
  var name = "" { didSet { handler?(oldValue, name) } }
  var age = 0 { didSet { ageHandler?(oldValue, age) } }
  var level = 0 {
    didSet {
      if level > 10 { level = 10 }
      ageHandler?(oldValue, level)
    }
  }
  var boss: NativeMember?
  var friends: [NativeMember] = []
  var tags: Set<String> = []
  var initial: String { String(name.prefix(1)) }
  var years: Double {
    get { Double(age) }
    set { age = Int(newValue) }
  }
  var handler: ((_ old: String, _ new: String) -> Void)?
  var ageHandler: ((_ old: Int, _ new: Int) -> Void)?

  static func initial(_ name: String) -> String { String(name.prefix(1)) }
}

/// An observer that is an object.
final class Badge: KVObserver {
  let counter = Counter()
}
