import KVCore
import Testing

@Suite("VAL validation")
struct ValidationTests {
  private struct TooSmall: Error, CustomStringConvertible {
    var description: String { "too small" }
  }

  private final class Guarded: KVObject {
    @KVProperty var count = 1
    var name: String? = "tea"
    var free = 0
    var kind = ShopKind.tea
    var text = 0
    var offer = ShopOffer()
    var other: Guarded?
    var others: [Guarded] = []
    var calls = 0

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Guarded.self) { key in
        key("count", \.count).alias("number").validated { count in
          if count < 0 { throw TooSmall() }
          return count > 100 ? .replaced(with: 100) : .valid
        }
        key("name", \.name).validated { name in
          guard let name else { return .replaced(with: "nobody") }
          if name == "ours" { throw KVError(.custom, "ours alone.") }
          return name.isEmpty ? .replaced(with: nil) : .valid
        }
        key("free", \.free)
        key("kind", \.kind).validated { $0 == .coffee ? .replaced(with: ShopKind.tea) : .valid }
        key("text", \.text).lenient().validated { $0 == 12 ? .replaced(with: 13) : .valid }
        key("wrong", \.free).validated { .replaced(with: $0 == 1 ? "x" : $0 == 2 ? nil : 2.5) }
        key("offer", \.offer)
        key("other", \.other)
        key("others", \.others)
      }
    }
  }

  private enum Outcome: Equatable {
    case valid
    case replaced(String)
    case failed(KVError.Code)
  }

  private func validate(_ value: Any?, _ path: String, of root: some KeyValueCoding) -> Outcome {
    do throws(KVError) {
      switch try root.validate(value, forKeyPath: path) {
      case .valid: return .valid
      case .replaced(let value): return .replaced(value.map { "\($0)" } ?? "nil")
      }
    } catch {
      return .failed(error.code)
    }
  }

  private let guarded = Guarded()

  @Test("VAL.1: a validator has three outcomes: valid, valid after replacing the value, invalid with an error")
  func outcomes() {
    #expect(validate(5, "count", of: guarded) == .valid)
    #expect(validate(500, "count", of: guarded) == .replaced("100"))
    #expect(validate(-1, "count", of: guarded) == .failed(.invalidValue))
    #expect(validate(-1, "number", of: guarded) == .failed(.invalidValue))
  }

  @Test("VAL.1: the error says what was refused, where, and carries the cause")
  func error() {
    let error = #expect(throws: KVError.self) { try guarded.validate(-1, forKeyPath: "count") }
    #expect(error?.underlying is TooSmall)
    #expect(error?.component == "count")
    #expect(error?.keyPath == "count")
    #expect(error?.rootType == "Guarded")
    #expect(error?.message == "the Int -1 is not valid for \"count\" of Guarded: too small")
    let ours = #expect(throws: KVError.self) { try guarded.validate("ours", forKeyPath: "name") }
    #expect(ours?.code == .custom)
    #expect(ours?.message == "ours alone.")
    #expect(ours?.keyPath == "name")
  }

  @Test("VAL.1: nil is validated where the property is optional, and may be the replacement")
  func nils() {
    #expect(validate(nil, "name", of: guarded) == .replaced("nobody"))
    #expect(validate(String?.none as Any, "name", of: guarded) == .replaced("nobody"))
    #expect(validate("", "name", of: guarded) == .replaced("nil"))
    #expect(validate(nil, "count", of: guarded) == .failed(.nilValue))
  }

  @Test("VAL.1: the validator gets the value as the key would take it: coerced")
  func coercion() {
    #expect(validate(500.9, "count", of: guarded) == .replaced("100"))
    #expect(validate(-0.5, "count", of: guarded) == .valid)
    #expect(validate("coffee", "kind", of: guarded) == .replaced("tea"))
    #expect(validate("12", "text", of: guarded) == .replaced("13"))
    #expect(validate("x", "count", of: guarded) == .failed(.typeMismatch))
    #expect(validate(1e300, "count", of: guarded) == .failed(.numberOutOfRange))
  }

  @Test("VAL.1: a replacement is converted as a value is; one that does not fit is an error that names the validator")
  func replacements() throws {
    #expect(validate(3, "wrong", of: guarded) == .replaced("2"))
    #expect(validate(2, "wrong", of: guarded) == .failed(.nilValue))
    let error = #expect(throws: KVError.self) { try guarded.validate(1, forKeyPath: "wrong") }
    #expect(error?.code == .typeMismatch)
    #expect(
      error?.message
        == """
        the validator of "wrong" of Guarded replaces the value by one that does not fit: the String "x" is not an Int. Let it \
        return .replaced(with:) a value of type Int.
        """)
  }

  @Test("VAL.1: a key without a validator is valid; one that does not exist is an error")
  func others() {
    #expect(validate(5, "free", of: guarded) == .valid)
    #expect(validate(5, "calls", of: guarded) == .valid)
    #expect(validate(5, "nope", of: guarded) == .failed(.undefinedKey))
    #expect(validate(5, "a", of: ["a": 1]) == .valid)
  }

  @Test("VAL.2: validation happens at the last component")
  func keyPaths() throws {
    guarded.other = Guarded()
    #expect(validate(500, "other.count", of: guarded) == .replaced("100"))
    #expect(validate(-1, "other.count", of: guarded) == .failed(.invalidValue))
    #expect(validate(-1, "offer.price.amount", of: guarded) == .replaced("0"))
    #expect(validate(Guarded(), "other.other", of: guarded) == .valid)
    #expect(validate(5, "other.nope", of: guarded) == .failed(.undefinedKey))
    #expect(validate(5, "nope.count", of: guarded) == .failed(.undefinedKey))
    guarded.others = [Guarded()]
    #expect(validate(500, "others[0].count", of: guarded) == .replaced("100"))
    let error = #expect(throws: KVError.self) { try guarded.validate(-1, forKeyPath: "other.count") }
    #expect(error?.keyPath == "other.count")
    #expect(error?.component == "count")
  }

  @Test("VAL.2: through a nil in the middle nothing is validated")
  func nilMiddle() {
    #expect(validate(-1, "other.count", of: guarded) == .valid)
  }

  @Test("VAL.2: roots that conform to nothing are validated through KVC")
  func anyRoot() throws {
    let result = try KVC.validate(-1, forKeyPath: "price.amount", of: (price: ShopPrice(), n: 1))
    guard case .replaced(let value) = result else { return #expect(Bool(false), "not replaced") }
    #expect(value as? Int == 0)
  }

  @Test("VAL.2: setting never validates by itself, and validating never sets")
  func setting() throws {
    try guarded.setValue(500, forKey: "count")
    #expect(guarded.count == 500)
    try guarded.setValue(-1, forKeyPath: "count")
    #expect(guarded.count == -1)
    guarded.count = -2
    try guarded.setValues(forKeys: ["count": -3, "name": ""])
    #expect(guarded.count == -3)
    #expect(guarded.name == "")
    try guarded.setValue(-4, forKeyPath: "offer.price.amount")
    #expect(guarded.offer.price.amount == -4)
    let recorder = ShopRecorder.watch(guarded, "count", "name")
    _ = try guarded.validate(500, forKeyPath: "count")
    #expect(guarded.count == -3)
    #expect(recorder.lines == [])
  }
}
