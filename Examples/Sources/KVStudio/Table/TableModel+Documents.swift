import Foundation
import KVBinding
import KVDocuments

extension TableModel {
  /// How many columns of a document are shown.
  private static let columnLimit = 12
  /// How many records a page can scroll through.
  private static let recordLimit = 500_000

  /// Makes a table of the longest list of objects among the members of a document.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - name: Its name.
  ///   - allowsEditing: Whether the table may change it.
  /// - Returns: The table; nil if there is no list of objects.
  /// - Throws: `KVError` if the list is too long.
  convenience init?(_ document: KVRecord, named name: String, allowsEditing: Bool = true) throws(KVError) {
    let records =
      document.keys.map { (document[$0] as? [Any])?.compactMap { $0 as? KVRecord } ?? [] }.max { $0.count < $1.count }
      ?? []
    guard !records.isEmpty else { return nil }
    guard records.count <= Self.recordLimit else {
      throw KVError(.limitExceeded, "it has \(records.count) records, and the table shows at most \(Self.recordLimit).")
    }
    self.init(name, Self.columns(of: records, allowsEditing), records, isEditable: allowsEditing)
  }

  /// The columns of some records: the keys that most of them have, in the order of the alphabet.
  private static func columns(of records: [KVRecord], _ allowsEditing: Bool) -> [TableColumn] {
    let sample = records.prefix(1000)
    let counts = sample.reduce(into: [String: Int]()) { counts, record in
      for key in record.keys { counts[key, default: 0] += 1 }
    }
    let keys = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(columnLimit).map(\.key)
    return keys.map { key in
      let kind = kind(of: sample.compactMap { $0[key] })
      // A key that begins with "@" cannot be recorded for undo.
      let isEditable = allowsEditing && kind != .other && !key.hasPrefix("@")
      return TableColumn(key: key, title: key, kind: kind, isEditable: isEditable)
    }
  }

  private static func kind(of values: [Any]) -> TableColumn.Kind {
    if values.allSatisfy({ $0 is String }) { return .text }
    if values.allSatisfy({ $0 is Bool }) { return .flag }
    if values.allSatisfy({ $0 is Int }) { return .integer }
    return values.allSatisfy { $0 is Int || $0 is Double } ? .number : .other
  }

  // MARK: Without a document

  /// Makes a survey of languages: a record for each language and year, which is the same for the same seed.
  ///
  /// The names are those of ISO 639-3, if the package iso-codes is installed, and made up otherwise.
  static func survey(count: Int, seed: UInt64 = 7) -> TableModel {
    var random = SeededGenerator(seed: seed)
    let languages = installedLanguages() ?? inventedLanguages(&random)
    let notes = ["by telephone", "by letter", "in schools", "estimate"]
    let records = (0..<count).map { number in
      let language = languages[number % languages.count]
      let size = Double.random(in: 2...8, using: &random)
      let record: KVRecord = [
        "name": language.name, "code": language.code, "status": language.status,
        "year": 2024 - number / languages.count, "speakers": language.status == "Living" ? Int(pow(10, size)) : 0,
      ]
      if Int.random(in: 0..<4, using: &random) == 0 { record["note"] = notes.randomElement(using: &random) }
      return record
    }
    let columns = [
      TableColumn(key: "name", title: "Name", isRequired: true),
      TableColumn(key: "code", title: "Code", isEditable: false),
      TableColumn(key: "status", title: "Status", isRequired: true),
      TableColumn(key: "year", title: "Year", kind: .integer, isRequired: true, range: 1800...2100),
      TableColumn(key: "speakers", title: "Speakers", kind: .integer, isRequired: true, range: 0...2_000_000_000),
      TableColumn(key: "note", title: "Note"),
    ]
    return TableModel("Survey of languages", columns, records)
  }

  private typealias Language = (name: String, code: String, status: String)

  private static let statuses = [
    "L": "Living", "E": "Extinct", "A": "Ancient", "H": "Historical", "C": "Constructed", "S": "Special",
  ]

  private static func installedLanguages() -> [Language]? {
    let path = "/usr/share/iso-codes/json/iso_639-3.json"
    guard let data = FileManager.default.contents(atPath: path),
      let root = try? KVDocument(data: data, format: .json).root as? [String: Any],
      let entries = root["639-3"] as? [[String: Any]], entries.count > 1000
    else { return nil }
    return entries.map { entry in
      (
        entry["name"] as? String ?? "", entry["alpha_3"] as? String ?? "",
        statuses[entry["type"] as? String ?? ""] ?? "Special"
      )
    }
  }

  private static func inventedLanguages(_ random: inout SeededGenerator) -> [Language] {
    let syllables = "ba de ki lo mu na pe ri so tu wa ya zi ho ga".split(separator: " ")
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let kinds = Array(repeating: "Living", count: 9) + ["Extinct"]
    return (0..<7900).map { number in
      let name = (0..<Int.random(in: 2...4, using: &random)).compactMap { _ in syllables.randomElement(using: &random) }
      let code = String([letters[number / 676 % 26], letters[number / 26 % 26], letters[number % 26]])
      return (name.joined().capitalized, code, kinds.randomElement(using: &random) ?? "Living")
    }
  }
}
