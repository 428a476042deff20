import Foundation
import TestModels

/// Seeded texts with letters that case, diacritics and digits make interesting.
enum TestTexts {
  private static let parts = [
    "a", "A", "b", "B", "e", "é", "e\u{301}", "É", "z", "Z", "ß", "ss", "SS", "ſ", "K", "\u{212A}", "1", "01", "2",
    "10",
    "٣", " ", "-", "_", "ö", "o", "Ö", "が", "か", "İ", "i", "ı", "\u{301}", "æ", "ﬁ", "Σ", "ς", "σ", "ά", "😀", "\r\n",
    "\n",
  ]

  static func random(_ generator: inout SplitMix64) -> String {
    (0..<generator.below(5)).map { _ in parts[generator.below(parts.count)] }.joined()
  }
}

/// Encodes and decodes by JSON, for the tests.
enum Plain {
  static func encode(_ value: some Encodable) throws -> [String: String] {
    let data = try JSONEncoder().encode(value)
    let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    return object.mapValues { value in
      if let text = value as? String { return text }
      return (value as? Bool).map { "\($0)" } ?? "\(value)"
    }
  }

  static func decode<Value: Decodable>(_ type: Value.Type, _ entries: [String: String]) throws -> Value {
    let object = entries.mapValues { $0 == "true" ? true as Any : $0 == "false" ? false as Any : $0 as Any }
    return try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: object))
  }
}
