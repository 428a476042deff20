import Foundation
import KVCore
import KVFoundation
import Testing

@Suite("CO texts of Foundation's types")
struct TextConversionTests {
  private final class Settings: KVObject {
    @KVProperty var due = Date(timeIntervalSince1970: 0)
    @KVProperty var site: URL?
    @KVProperty var id: UUID?
    @KVProperty var key = Data()
    @KVProperty var price: Decimal = 0
    @KVProperty var days: [Date] = []
    @KVProperty var strict: Date?
    @KVProperty var stamp: Date?

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Settings.self) { key in
        key("due", \.due).lenient()
        key("site", \.site).lenient()
        key("id", \.id).lenient()
        key("key", \.key).lenient()
        key("price", \.price).lenient()
        key("days", \.days).lenient()
        key("strict", \.strict)
        key("stamp", \.stamp).converted(from: Double.self) {
          Date(timeIntervalSince1970: $0)
        } back: {
          $0.timeIntervalSince1970
        }
      }
    }
  }

  private let settings = Settings()

  @Test("CO.2, CO.5: a text of a number that is too large is the same error for every floating-point type")
  func largeNumbers() throws {
    func code<T>(_ text: String, _ type: T.Type) -> KVError.Code? {
      do throws(KVError) {
        _ = try KVC.convert(text, to: type, lenient: true)
        return nil
      } catch { return error.code }
    }
    for text in ["1e400", "-1e400"] {
      #expect(code(text, Double.self) == .numberOutOfRange)
      #expect(code(text, CGFloat.self) == .numberOutOfRange)
      #expect(code(text, CGFloat?.self) == .numberOutOfRange)
    }
    for text in ["many", "nan", "inf", "0x1", ""] { #expect(code(text, CGFloat.self) == .typeMismatch) }
    #expect(try KVC.convert("-2.5e1", to: CGFloat.self, lenient: true) == -25)
  }

  @Test("TAB.10, CO.5: a configuration of texts sets every key, and is read back as text")
  func configuration() throws {
    let texts = [
      "due": "2026-11-22T07:20:00Z", "site": "https://example.org/a?b=c",
      "id": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "key": "aGVsbG8=", "price": "12345678901234567890.12",
    ]
    try settings.setValues(forKeys: texts)
    #expect(settings.due == Date(timeIntervalSince1970: 1_795_332_000))
    #expect(settings.site == URL(string: "https://example.org/a?b=c"))
    #expect(settings.id == UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    #expect(settings.key == Data("hello".utf8))
    #expect(settings.price.description == "12345678901234567890.12")
    for (key, text) in texts { #expect(try settings.value(forKeyPath: key, as: String.self) == text) }
    try settings.setValue(["2026-01-01", "2026-01-02"], forKey: "days")
    #expect(settings.days.map(\.timeIntervalSince1970) == [1_767_225_600, 1_767_312_000])
    #expect(try settings.value(forKey: "days", as: [String].self) == ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"])
    try settings.setValue("2027-01-01", forKeyPath: "days[0]")
    #expect(try settings.value(forKeyPath: "days[0]", as: String.self) == "2027-01-01T00:00:00Z")
  }

  @Test(
    "CO.5: dates are those of RFC 3339",
    arguments: [
      ("1970-01-01", 0), ("2000-02-29", 951_782_400), ("1969-12-31T23:59:59Z", -1), ("0001-01-01", -62_135_596_800),
      ("9999-12-31T23:59:59.999Z", 253_402_300_799.999), ("1900-03-01", -2_203_891_200),
      ("2026-11-22T08:20:00.25+01:00", 1_795_332_000.25), ("2026-11-22T07:20:00-00:30", 1_795_333_800),
    ] as [(String, Double)])
  func dates(_ text: String, _ seconds: Double) throws {
    try settings.setValue(text, forKey: "due")
    #expect(settings.due.timeIntervalSince1970 == seconds)
    let back = try settings.value(forKey: "due", as: String.self)
    try settings.setValue(back, forKey: "due")
    #expect(settings.due.timeIntervalSince1970 == seconds, "\(back)")
  }

  @Test("CO.5: the text of a date has the shortest fraction, and reads back as the same date")
  func fractions() throws {
    let fractions: [(Double, String)] = [
      (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (0.000_001, "2001-01-01T00:00:00.000001Z"),
      (0.123_456_789, "2001-01-01T00:00:00.123456789Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
      (817_024_800.25, "2026-11-22T07:20:00.25Z"), (-1e-12, "2000-12-31T23:59:59.999999999999Z"),
    ]
    for (seconds, text) in fractions {
      settings.due = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(try settings.value(forKey: "due", as: String.self) == text)
    }
    var seconds = 817_024_800.0
    for _ in 0..<1_000 {
      seconds = (seconds + 0.000_987_3).nextUp
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      settings.due = date
      let text = try settings.value(forKey: "due", as: String.self)
      settings.due = Date(timeIntervalSince1970: 0)
      try settings.setValue(text, forKey: "due")
      #expect(settings.due == date, "\(text)")
    }
  }

  @Test(
    "CO.5: a date outside of the years 1 to 9999 has no text",
    arguments: [-63_113_904_000.5, 252_423_993_600, .nan, .infinity, 1e300])
  func years(_ seconds: Double) {
    settings.due = Date(timeIntervalSinceReferenceDate: seconds)
    let error = #expect(throws: KVError.self) { try settings.value(forKey: "due", as: String.self) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.message.contains("it has no text, which would be an RFC 3339 date of the years 1 to 9999") == true)
  }

  @Test("CO.5, KVC.18: an error says which text is expected")
  func expected() {
    let texts = [
      "due": "an RFC 3339 date of the years 1 to 9999 (2026-11-22 or 2026-11-22T07:20:00Z) is expected.",
      "id": "a UUID of 36 characters is expected.", "key": "base 64 without line breaks is expected.",
      "price": "a number such as 12 or -1.5 is expected.",
    ]
    for (key, text) in texts {
      let error = #expect(throws: KVError.self) { try settings.setValue("*", forKey: key) }
      #expect(error?.message.hasSuffix(text) == true, "\(error?.message ?? "")")
    }
  }

  @Test(
    "CO.5: what is no text of the type is refused",
    arguments: [
      (
        "due",
        [
          "", "today", "2026-02-30", "2026-13-01", "2026-11-22T25:00:00Z", "2026-11-22T07:20:00",
          "2026-11-22T07:20:00Zx", "2026-11-22junk", "2026-11-22T07:20:00.Z", "2026-11-22T07:20:00+1:00", "1900-02-29",
        ]
      ),
      ("site", ["", "a b"]), ("id", ["", "12"]), ("key", ["*", "aGVsbG8"]),
      ("price", ["12kg", "1,5", "", "nan", "1.2.3"]),
    ] as [(String, [String])])
  func refusals(_ key: String, _ texts: [String]) {
    for text in texts {
      let error = #expect(throws: KVError.self, "\(text)") { try settings.setValue(text, forKey: key) }
      #expect(error?.code == .typeMismatch)
    }
  }

  @Test("CO.5: a key that is not lenient refuses text, and names the cure if it is one")
  func strict() throws {
    let error = #expect(throws: KVError.self) { try settings.setValue("2026-11-22", forKey: "strict") }
    #expect(
      error?.message == """
        cannot set "strict" of Settings: the String "2026-11-22" is not a Date; write @KVKey(.lenient) before the property, or \
        .lenient() in its table, to let strings convert.
        """)
    try settings.setValue("2026-11-22", forKey: "due")
    let other = #expect(throws: KVError.self) { try settings.setValue("today", forKey: "strict") }
    #expect(other?.message == "cannot set \"strict\" of Settings: the String \"today\" is not a Date.")
    settings.strict = Date(timeIntervalSince1970: 0)
    let read = #expect(throws: KVError.self) { try settings.value(forKey: "strict", as: String.self) }
    #expect(read?.message.hasSuffix("to have its values read as text.") == true)
    #expect(try settings.value(forKey: "due", as: String.self) == "2026-11-22T00:00:00Z")
  }

  @Test("TAB.10: a number converts by a conversion that the line declares")
  func stamps() throws {
    try settings.setValue(1_795_332_000, forKey: "stamp")
    #expect(settings.stamp == Date(timeIntervalSince1970: 1_795_332_000))
    #expect(try settings.value(forKey: "stamp", as: Double.self) == 1_795_332_000)
  }
}
