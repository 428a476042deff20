import KVQuery
import Testing

@testable import KVCore

@Suite("FLT.7: texts that are ASCII")
struct StringASCIITests {
  @Test("FLT.7: a scalar that is not ASCII is found at each place of a text of each length")
  func everyPlace() {
    for length in 0...33 {
      #expect(String(repeating: "a", count: length).isASCII)
      for place in 0..<length {
        var scalars = Array(repeating: Unicode.Scalar("a"), count: length)
        scalars[place] = "\u{7F}"
        #expect(Self.text(scalars).isASCII)
        scalars[place] = "é"
        #expect(!Self.text(scalars).isASCII, "\(length), \(place)")
      }
    }
  }

  @Test("FLT.7: CONTAINS finds a part at each place, in either case, and not a part of it")
  func contains() throws {
    for length in 1...20 {
      for place in 0..<length {
        var characters = Array(repeating: Character("x"), count: length)
        characters[place] = "E"
        let text = String(characters)
        #expect(try KVPredicate(format: "SELF CONTAINS[c] 'e'").evaluate(with: text))
        #expect(try !KVPredicate(format: "SELF CONTAINS 'e'").evaluate(with: text))
        #expect(try KVPredicate(format: "SELF CONTAINS[cd] 'eX'").evaluate(with: text) == (place + 1 < length))
        #expect(try KVPredicate(format: "SELF CONTAINS[c] 'xe'").evaluate(with: text) == (place > 0))
        #expect(try !KVPredicate(format: "SELF CONTAINS[c] 'ee'").evaluate(with: text))
      }
    }
  }

  @Test("FLT.7: a key of an object is compared as its text is: by each operator, in each case")
  func keys() throws {
    let node = Named()
    for text in ["", "a", "Ab", "aB\u{301}", "\r\n", "zz", "ABC", "ab*"] {
      node.name = text
      for name in ["==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES"] {
        for options in ["", "[c]", "[d]", "[cd]"] {
          for constant in ["", "ab", "AB", "b", "?b"] where name != "MATCHES" || constant != "?b" {
            let ofKey = try KVPredicate(format: "name \(name)\(options) '\(constant)'")
            let ofText = try KVPredicate(format: "SELF \(name)\(options) '\(constant)'")
            #expect(try ofKey.evaluate(with: node) == ofText.evaluate(with: text), "\(text) \(ofKey)")
            #expect(try [node].filter(ofKey).count == (ofText.evaluate(with: text) ? 1 : 0), "\(text) \(ofKey)")
          }
        }
      }
    }
  }

  private static func text(_ scalars: [Unicode.Scalar]) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

private final class Named: KVObject {
  @KVProperty var name = ""

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Named.self) { key in key("name", \.name) }
  }
}
