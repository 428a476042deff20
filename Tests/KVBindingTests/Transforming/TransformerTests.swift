import KVBinding
import KVCore
import Testing

@Suite("TRN.1: what transformers do")
struct TransformerTests {
  private struct Trouble: Error, CustomStringConvertible {
    var description: String { "no luck" }
  }

  private let percent = KVTransformer(
    "percent", forward: { (share: Double) in share * 100 }, reverse: { (percent: Double) in percent / 100 })

  @Test("TRN.1: a function of known types; values are made to fit")
  func typed() throws {
    let twice = KVTransformer(forward: { (number: Int) in number * 2 })
    #expect(try twice.transform(2) as? Int == 4)
    #expect(try twice.transform(2.9) as? Int == 4)
    #expect(try twice.transform(true) as? Int == 2)
    #expect(try twice.transform(Int??.some(3) as Any) as? Int == 6)
    #expect(!twice.isReversible && twice.inverted == nil && twice.name == nil)
    #expect(try percent.transform(0.25) as? Double == 25)
    #expect(try percent.reverseTransform(50) as? Double == 0.5)
    #expect(percent.isReversible && percent.name == "percent")
  }

  @Test("TRN.1: nil passes a function that does not take it; no result is an optional in an optional")
  func nilValues() throws {
    #expect(try percent.transform(nil) == nil)
    #expect(try percent.reverseTransform(Double?.none as Any) == nil)
    let length = KVTransformer(forward: { (text: String?) in text?.count ?? -1 })
    #expect(try length.transform(nil) as? Int == -1)
    #expect(try length.transform("abc") as? Int == 3)
    let anything = KVTransformer(forward: { (value: Any) in "\(value)" })
    #expect(try anything.transform(nil) == nil)
    let nested = KVTransformer(forward: { (number: Int) -> Int?? in number == 0 ? .some(nil) : number })
    #expect(try nested.transform(0) == nil)
    #expect(try nested.transform(1) as? Int == 1)
  }

  @Test("TRN.1: functions of any value")
  func erased() throws {
    let wrapping = KVTransformer.erased(
      "wrapping", forward: { value in value.map { [$0] } ?? [] }, reverse: { ($0 as? [Any])?.first })
    #expect(try wrapping.transform(1) as? [Int] == [1])
    #expect(try wrapping.transform(nil) as? [Int] == [])
    #expect(try wrapping.reverseTransform([5]) as? Int == 5)
    #expect(wrapping.isReversible)
    #expect(!KVTransformer.erased(forward: { $0 }).isReversible)
  }

  @Test("TRN.1: there and back exchanged")
  func inverted() throws {
    let inverted = try #require(percent.inverted)
    #expect(try inverted.transform(25) as? Double == 0.25)
    #expect(try inverted.reverseTransform(0.25) as? Double == 25)
    #expect(try inverted.inverted?.transform(0.25) as? Double == 25)
  }

  @Test("TRN.1: one after the other")
  func composed() throws {
    let sentence = KVTransformer(forward: { (number: Int) in "\(number) %" }, reverse: { Int($0.dropLast(2)) ?? 0 })
    let both = percent.then(sentence)
    #expect(try both.transform(0.25) as? String == "25 %")
    #expect(try both.reverseTransform("25 %") as? Double == 0.25)
    #expect(both.isReversible && both.name == nil)
    #expect(!percent.then(.isNil).isReversible && !KVTransformer.isNil.then(percent).isReversible)
    #expect(try percent.then(sentence).then(.isNil).transform(nil) as? Bool == true)
    #expect(try both.transform([0.25, nil, 1]) as? [String?] == ["25 %", nil, "100 %"])
  }

  @Test("TRN.1: whole sentences of errors")
  func errors() {
    let failing = KVTransformer(
      "failing", forward: { (_: Int) throws -> Int in throw Trouble() }, reverse: { (_: Int) in throw Trouble() })
    let own = KVTransformer(forward: { (_: Int) throws -> Int in throw KVError(.invalidValue, "seven is too many.") })
    let nameless = KVTransformer(forward: { (number: Int8) in number })
    let cases: [(() throws -> Any?, KVError.Code, String)] = [
      (
        { try percent.transform("x") }, .typeMismatch,
        "the transformer \"percent\" cannot take a value: the String \"x\" is not a Double."
      ),
      (
        { try percent.reverseTransform("x") }, .typeMismatch,
        "the transformer \"percent\" cannot take a value on the way back: the String \"x\" is not a Double."
      ),
      (
        { try nameless.transform(300) }, .numberOutOfRange,
        "a transformer cannot take a value: the Int 300 does not fit in Int8."
      ),
      ({ try failing.transform(1) }, .custom, "the transformer \"failing\" failed: no luck."),
      (
        { try failing.reverseTransform(1) }, .custom,
        "the transformer \"failing\" failed on the way back: no luck."
      ),
      ({ try own.transform(7) }, .invalidValue, "seven is too many."),
      (
        { try KVTransformer.isNil.reverseTransform(true) }, .notReversible,
        "the transformer \"isNil\" works forward only. Give it a reverse function, or let values go one way."
      ),
      (
        { try nameless.reverseTransform(true) }, .notReversible,
        "a transformer works forward only. Give it a reverse function, or let values go one way."
      ),
    ]
    for (body, code, sentence) in cases {
      do {
        _ = try body()
        Issue.record("no error, but: \(sentence)")
      } catch let error as KVError {
        #expect(error.code == code)
        #expect(error.description == sentence)
        #expect((error.underlying is Trouble) == (code == .custom))
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("TRN.1: nil of a function says that the value does not convert, unless each takes what the other returns")
  func unconverted() throws {
    let age = KVTransformer("age", forward: { (age: Int) in "\(age)" }, reverse: { Int($0) })
    let parsed = KVTransformer(forward: { (text: String) in Int(text) }, reverse: { String($0) })
    let counted = KVTransformer(forward: { (text: String?) in text == "" ? nil : text?.count ?? -1 }) { (count: Int) in
      count < 0 ? "" : nil
    }
    let cases: [(() throws -> Any?, String)] = [
      (
        { try age.reverseTransform("old") },
        "the transformer \"age\" cannot take a value on the way back: the String \"old\" does not convert to an Int."
      ),
      (
        { try age.inverted?.transform("old") },
        "the transformer \"age\" cannot take a value on the way back: the String \"old\" does not convert to an Int."
      ),
      (
        { try age.reverseTransform(["1", "x"]) },
        "the transformer \"age\" cannot take a value on the way back: the String \"x\" does not convert to an Int."
      ),
      (
        { try parsed.transform("old") },
        "a transformer cannot take a value: the String \"old\" does not convert to an Int."
      ),
      ({ try counted.transform("") }, "a transformer cannot take a value: the String \"\" does not convert to an Int."),
      (
        { try counted.reverseTransform(3) },
        "a transformer cannot take a value on the way back: the Int 3 does not convert to a String."
      ),
    ]
    for (body, sentence) in cases {
      let error = #expect(throws: KVError.self) { _ = try body() }
      #expect(error?.code == .invalidValue && error?.description == sentence)
    }
    #expect(try age.transform(36) as? String == "36" && age.reverseTransform("36") as? Int == 36)
    #expect(try age.reverseTransform(nil) == nil)
    #expect(try parsed.transform("36") as? Int == 36 && parsed.reverseTransform(36) as? String == "36")
    #expect(try counted.transform(nil) as? Int == -1 && counted.reverseTransform(-1) as? String == "")

    let optional = KVTransformer(forward: { (age: Int?) in age.map { "\($0)" } ?? "" }, reverse: { Int($0) })
    #expect(try optional.reverseTransform("old") == nil && optional.transform(nil) as? String == "")
    let both = KVTransformer(forward: { (text: String) in Int(text) }, reverse: { (age: Int?) in "\(age ?? 0)" })
    #expect(try both.transform("old") == nil && both.reverseTransform(nil) as? String == "0")
  }

  @Test("TRN.1: the description of an optional is no result of a function that the other one made take an optional")
  func descriptions() throws {
    func sentence(_ subject: String, _ text: String, _ suffix: String) -> String {
      """
      \(subject) returns the text \(text)\(suffix): its function takes an optional Int, as the other function returns one. Write \
      the type of its parameter, { (value: Int) in … }, or unwrap the value.
      """
    }
    let back = KVTransformer(forward: { (text: String) in Int(text) }, reverse: { String(describing: $0) })
    #expect(try back.transform("3") as? Int == 3)
    let error = #expect(throws: KVError.self) { try back.reverseTransform(3) }
    #expect(error?.code == .invalidValue)
    #expect(error?.message == sentence("a transformer", "Optional(3)", " on the way back"))
    let there = KVTransformer("age", forward: { String(describing: $0) }, reverse: { (text: String) in Int(text) })
    let other = #expect(throws: KVError.self) { try there.transform([1, 2]) }
    #expect(other?.message == sentence("the transformer \"age\"", "Optional(1)", ""))
    #expect(try there.reverseTransform("3") as? Int == 3)
    // The cures, and other texts.
    let typed = KVTransformer(forward: { (text: String) in Int(text) }) { (age: Int) in String(describing: age) }
    #expect(try typed.reverseTransform(3) as? String == "3")
    let unwrapped = KVTransformer(forward: { (text: String) in Int(text) }) {
      $0.map { "Optional(\($0 + 1))" } ?? "nil"
    }
    #expect(
      try unwrapped.reverseTransform(3) as? String == "Optional(4)"
        && unwrapped.reverseTransform(nil) as? String == "nil")
  }

  @Test("TRN.1: functions that may return nil: initializers, explicit types, statements, enums, generic types")
  func optionalForms() throws {
    func described<Value: LosslessStringConvertible & Sendable>(_ type: Value.Type) -> KVTransformer {
      KVTransformer(forward: { (value: Value) in value.description }, reverse: { Value($0) })
    }
    let transformers = [
      KVTransformer(forward: { (number: Int) in "\(number)" }, reverse: Int.init),
      KVTransformer(
        forward: { (number: Int) -> String in "\(number)" }, reverse: { (text: String) -> Int? in Int(text) }),
      KVTransformer(forward: { (number: Int) in "\(number)" }) { text in
        guard let number = Int(text) else { return nil }
        return number
      },
      described(Int.self), KVTransformer(forward: \Int.description, reverse: { Int($0) }),
    ]
    for transformer in transformers {
      #expect(try transformer.transform(36) as? String == "36" && transformer.reverseTransform("36") as? Int == 36)
      #expect(throws: KVError.self) { try transformer.reverseTransform("old") }
    }
    let sign = KVTransformer(forward: { (sign: Sign) in sign.rawValue }, reverse: Sign.init(rawValue:))
    #expect(try sign.reverseTransform("minus") as? Sign == .minus)
    #expect(throws: KVError.self) { try sign.reverseTransform("times") }
  }

  private enum Sign: String { case plus, minus }

  @Test("TRN.1: the examples of the guide")
  func guide() throws {
    let shout = KVTransformer { (text: String) in text.uppercased() }
    let percent = KVTransformer(forward: { (share: Double) in share * 100 }, reverse: { $0 / 100 })
    #expect(try shout.transform("tea") as? String == "TEA")
    #expect(try percent.transform(0.25) as? Double == 25)
    #expect(try percent.reverseTransform(50) as? Double == 0.5)
    #expect(try percent.transform([0.5, nil]) as? [Double?] == [50, nil])
    #expect(try percent.then(.format("%.1f %%")).transform(0.125) as? String == "12.5 %")
    let nobody = KVTransformer { (text: String?) in text ?? "nobody" }
    #expect(try nobody.transform(nil) as? String == "nobody")
  }

  @Test("TRN.1: a transformer is printed with its name and its directions")
  func description() {
    #expect("\(percent)" == "KVTransformer(\"percent\", reversible)")
    #expect("\(KVTransformer.isNil)" == "KVTransformer(\"isNil\", forward only)")
    #expect("\(KVTransformer(forward: { (number: Int) in number }))" == "KVTransformer(forward only)")
  }
}
