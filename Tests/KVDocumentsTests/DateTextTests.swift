import Foundation
import KVBinding
import KVDocuments
import KVQuery
import Testing

@Suite("Dates have one text")
struct DateTextTests {
  /// The dates of one run; `.ci/nightly` tries a million.
  private static let count = ProcessInfo.processInfo.environment["KV_DATES"].flatMap { Int($0) } ?? 5_000

  private static func text(_ date: Date) throws -> String {
    String(decoding: try KVDocument(date).data(datesAsText: true), as: UTF8.self)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\""))
  }

  @Test(
    "CO.5: a date is written in RFC 3339, by the Gregorian calendar, with the shortest fraction",
    arguments: [
      (0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
      (1e-7, "2001-01-01T00:00:00.0000001Z"), (-1e-7, "2000-12-31T23:59:59.9999999Z"),
      (-15_000_000_000.25, "1525-09-02T21:19:59.75Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"), (812_345_678.1234567, "2026-09-29T03:34:38.1234567Z"),
    ])
  func texts(seconds: Double, text: String) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    #expect(try Self.text(date) == text)
    #expect(try KVC.convert(text, to: Date.self, lenient: true) == date)
    #expect(try KVC.convert(text.lowercased(), to: Date.self, lenient: true) == date)
    let predicate = try KVPredicate(format: "SELF == %@", date)
    #expect(predicate.description == "SELF == CAST(\"\(text)\", \"NSDate\")")
    #expect(try KVPredicate(format: predicate.description).evaluate(with: date))
  }

  @Test("CO.5: a leap second is refused")
  func leapSeconds() {
    for text in ["2016-12-31T23:59:60Z", "2016-12-31T23:59:60.5Z"] {
      #expect(throws: KVError.self) { try KVC.convert(text, to: Date.self, lenient: true) }
    }
  }

  @Test("CO.5: Random dates are read as they were written")
  func roundTrip() throws {
    var state: UInt64 = 8
    for index in 0..<Self.count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // From the years 1 to 9999, and as many near 2001, where dates are finest.
      let share = Double(state >> 11) / 0x1p53
      let seconds =
        index % 2 == 0
        ? -63_113_904_000 + share * 315_537_897_599 : (share - 0.5) * pow(10, Double(index % 36) - 25)
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let text = try Self.text(date)
      #expect(try KVC.convert(text, to: Date.self, lenient: true) == date, "\(seconds) \(text)")
    }
  }

  @Test(
    "FLT.2: a date outside of the years 1 to 9999 has the literal form CAST(seconds, 'NSDate')",
    arguments: [Date.distantPast.timeIntervalSinceReferenceDate - 1e6, 1e12, -1e15, 1e300])
  func distantDates(seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let predicate = try KVPredicate(format: "d == %@", date)
    #expect(predicate.description == "d == CAST(\(seconds), \"NSDate\")")
    let copy = try KVPredicate(format: predicate.description)
    #expect(try copy.evaluate(with: ["d": date]))
    let decoded = try JSONDecoder().decode(KVPredicate.self, from: JSONEncoder().encode(predicate))
    #expect(try decoded.evaluate(with: ["d": date]))
  }

  @Test("DOC.2: a date without a text is an error where text is wanted, and is kept in a binary property list")
  func noText() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1e12)
    let sentence = """
      a date 1000000000000.0 seconds from 2001 has no text, which the years 1 to 9999 have; make it a number
      """
    let json = #expect(throws: KVError.self) { try KVDocument(["d": date]).data(datesAsText: true) }
    #expect(json?.message.contains(sentence) == true, "\(json?.message ?? "")")
    let xml = #expect(throws: KVError.self) { try KVDocument(["d": date], format: .xml).data() }
    #expect(xml?.message.contains(sentence) == true, "\(xml?.message ?? "")")
    let data = try KVDocument(["d": date], format: .binary).data()
    #expect((try KVDocument(data: data).root as? [String: Any])?["d"] as? Date == date)
  }

  @Test("FLT.4: NaN and infinity are cast to no date", arguments: [Double.nan, .infinity])
  func notFinite(seconds: Double) throws {
    let cast = try KVPredicate(format: "CAST(SELF, 'NSDate') == NULL")
    let error = #expect(throws: KVError.self) { try cast.evaluate(with: seconds) }
    #expect(error?.message.contains("the Double \(seconds) cannot be cast to NSDate.") == true)
    let predicate = try KVPredicate(format: "d == %@", Date(timeIntervalSinceReferenceDate: seconds))
    #expect(throws: (any Error).self) { try JSONEncoder().encode(predicate) }
  }

  @Test(
    "KVC.18: a date that is not a point in time is described, and does not end the process",
    arguments: [.nan, Double.infinity])
  func descriptions(seconds: Double) throws {
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    let record: KVRecord = ["date": date]
    var text = ""
    let token = try record.observe("date", options: [.old, .new]) { text = "\($0)" }
    record["date"] = 1
    token.cancel()
    #expect(text.contains("a date of \(seconds) seconds"), "\(text)")
    for list: Any in [[date], ["a": [date]] as [String: Any], [[nil, date]] as [[Date?]]] {
      let observer = try record.observe("date", options: [.old, .new]) { text = "\($0)" }
      record["date"] = list
      observer.cancel()
      #expect(text.contains("a collection with a date of \(seconds) seconds"), "\(text)")
    }
    let predicate = try KVPredicate(format: "d == %@", date)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(predicate) }
  }

  @Test("CO.5: a text whose date is outside of the years 1 to 9999 is refused")
  func edges() {
    for text in [
      "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-00:01", "0000-12-31T00:00:00Z", "2026-01-01T00:00:00.Z",
    ] {
      #expect(throws: KVError.self) { try KVC.convert(text, to: Date.self, lenient: true) }
    }
  }
}
