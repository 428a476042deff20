import Foundation
import KVBinding
import KVDocuments
import Testing

@Suite("Records and plain values are read from property lists and written to them")
struct PropertyListTests {
  private let xml = Data(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
    <key>flag</key><true/><key>off</key><false/><key>one</key><integer>1</integer><key>real</key><real>1</real>
    <key>large</key><integer>18446744073709551615</integer><key>date</key><date>2024-01-02T03:04:05Z</date>
    <key>data</key><data>AAEC</data><key>list</key><array><string>s</string><integer>0</integer></array>
    <key>empty</key><dict/><key>inner</key><dict><key>name</key><string>Ada</string></dict>
    </dict></plist>
    """.utf8)

  @Test("CO.2: values come as plain Swift types: true is no 1", arguments: [KVDocument.Format.xml, .binary])
  func types(format: KVDocument.Format) throws {
    let data = try PropertyListCoding.data(from: try PropertyListCoding.value(from: xml), format: format)
    #expect(KVDocument.Format(of: data) == format)
    let value = try #require(try PropertyListCoding.value(from: data) as? [String: Any])
    let expected: [String: Any.Type] = [
      "flag": Bool.self, "off": Bool.self, "one": Int.self, "real": Double.self, "large": UInt64.self,
      "date": Date.self, "data": Data.self, "list": [Any].self, "empty": [String: Any].self,
      "inner": [String: Any].self,
    ]
    #expect(value.count == expected.count)
    for (key, entry) in value { #expect(type(of: entry) == expected[key], "\(key)") }
    #expect(value["large"] as? UInt64 == .max)
    #expect(value["flag"] as? Bool == true)
    #expect(value["data"] as? Data == Data([0, 1, 2]))
    #expect(value["date"] as? Date == Date(timeIntervalSince1970: 1_704_164_645))
    #expect(KVC.areEqual(value["list"], ["s", 0] as [Any]))
  }

  @Test("DOC.1: a record is written to a property list and read back", arguments: [KVDocument.Format.xml, .binary])
  func records(format: KVDocument.Format) throws {
    let record = try KVRecord(KVDocument(data: xml))
    #expect(try record.value(forKeyPath: "inner.name", as: String.self) == "Ada")
    try record.setValue("Grace", forKeyPath: "inner.name")
    let again = try KVRecord(KVDocument(data: try KVDocument(record, format: format).data()))
    #expect(try again.value(forKeyPath: "inner.name", as: String.self) == "Grace")
    #expect(try KVDocument(again, format: .xml).data() == KVDocument(record, format: .xml).data())
  }

  @Test(
    "KVC.18: what is no property list is an error with Foundation's line and cause",
    arguments: [
      ("<?xml version=\"1.0\"?>\n<plist>\n<foo/></plist>", "line 3"), ("<plist><dict>", "unexpected EOF"), ("", ""),
      ("{ a = b; }", "neither XML nor binary"), ("bplist00zzz", "is damaged"), ("hello", "neither"),
    ])
  func faults(text: String, part: String) {
    let error = #expect(throws: KVError.self) { try PropertyListCoding.value(from: Data(text.utf8)) }
    #expect(error?.code == .invalidDocument)
    #expect(error?.message.hasPrefix("not a property list: ") == true)
    #expect(part.isEmpty || error?.message.contains(part) == true, "\(error?.message ?? "")")
    if text.hasPrefix("<") { #expect(error?.underlying != nil) }
  }

  @Test("DOC.3: a key that occurs twice in a dictionary of XML is refused")
  func repeatedKeys() throws {
    func read(_ text: String, _ encoding: String.Encoding = .utf8) throws -> Any? {
      let xml = "<?xml version=\"1.0\"?><plist version=\"1.0\">\(text)</plist>"
      return try KVDocument(data: try #require(xml.data(using: encoding)), format: .xml).root
    }
    let twice = "<dict><key>a b</key><integer>1</integer><key>c</key><dict/><key>a b</key><true/></dict>"
    let error = #expect(throws: KVError.self) { try read(twice) }
    #expect(error?.code == .invalidDocument)
    #expect(
      error?.message == "not a property list: a dictionary has the key \"a b\" twice; take one of the two out.")
    let spelt = "<dict><key>a&amp;</key><true/><key>a&#38;</key><true/></dict>"
    #expect(throws: KVError.self) { try read(spelt) }
    for stray in ["<array><key>a</key></array>", "<key>a</key>"] {
      let error = #expect(throws: KVError.self) { try read(stray) }
      #expect(
        error?.message
          == "not a property list: a dictionary has a key twice, or a <key> stands where a value belongs.")
    }
    // Marks without an end are passed once.
    for mark in ["<array", "<key", "<dict"] {
      #expect(throws: KVError.self) { try read(String(repeating: mark, count: 50_000)) }
      #expect(throws: KVError.self) { try read(String(repeating: mark, count: 50_000) + ">") }
    }
    // Comments hold no keys, and dictionaries beside each other may have the same ones.
    let once = "<!-- <key>a</key> --><array><dict><key>a</key><true/></dict><dict><key>a</key><true/></dict></array>"
    #expect((try read(once) as? [Any])?.count == 2)
    #expect((try read(once, .utf16) as? [Any])?.count == 2)
    // Empty collections are in nothing.
    let empty = "<array>\(String(repeating: "<array/><dict/>", count: 300))</array>"
    #expect((try read(empty) as? [Any])?.count == 600)
  }

  @Test("DOC.1: Half a surrogate pair and UID values of a binary property list are refused")
  func brokenValues() throws {
    for (object, sentence) in [
      ([0x61, 0xD8, 0x00] as [UInt8], "a string in UTF-16 has one half of a surrogate pair without the other"),
      ([0x80, 0x01], "it holds a value of type UID, as keyed archives do; read it with NSKeyedUnarchiver"),
    ] {
      let start = Array("bplist00".utf8) + object
      let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
      let end = [UInt8](repeating: 0, count: 7) + [UInt8(start.count)]
      let error = #expect(throws: KVError.self) { try KVDocument(data: Data(start + [8] + trailer + end)) }
      #expect(error?.message.contains(sentence) == true, "\(error?.message ?? "")")
    }
  }

  private func value(_ content: String) throws -> Any? {
    try KVDocument(data: Data("<plist version=\"1.0\">\n\(content)\n</plist>".utf8)).root
  }

  @Test(
    "DOC.2: a date of an XML property list that does not exist is an error with its place",
    arguments: [
      "2024-02-30T00:00:00Z", "2024-01-01T24:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T23:60:00Z",
      "-0001-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "12024-01-01T00:00:00Z", "today",
    ])
  func missingDates(text: String) throws {
    let error = #expect(throws: KVError.self) {
      try value("<array><string>2024-02-30</string>\n<date>\(text)</date></array>")
    }
    #expect(error?.code == .invalidDocument)
    #expect(
      error?.message == """
        not a property list: at line 3, column 7, "\(text)" is not a date of the years 1 to 9999, as in \
        2026-11-22T07:20:00Z.
        """)
  }

  @Test("DOC.2: Dates that exist, and what only looks like a date, are read")
  func dates() throws {
    for text in ["0001-01-01T00:00:00Z", "1500-03-01T00:00:00Z", "2024-02-29T23:59:59Z", "9999-12-31T23:59:59Z"] {
      #expect(try value("<date>\(text)</date>") as? Date == KVC.convert(text, to: Date.self, lenient: true))
    }
    let other = "<!-- <date>x</date> --><string><![CDATA[<date>x</date>]]></string>"
    #expect(try value(other) as? String == "<date>x</date>")
    #expect(throws: KVError.self) { try value("<date/>") }
    #expect(throws: KVError.self) { try value("<date>2024-01-01") }
  }

  @Test(
    "DOC.2: a string of an XML property list keeps a mark of the order of bytes, wherever it is",
    arguments: [
      ("\u{FEFF}a", "\u{FEFF}a"), ("a\u{FEFF}b", "a\u{FEFF}b"), ("\u{FEFF}\u{FEFF}", "\u{FEFF}\u{FEFF}"),
      ("&#xFEFF;a", "\u{FEFF}a"), ("&#65279;a", "\u{FEFF}a"), ("<![CDATA[\u{FEFF}a]]>", "\u{FEFF}a"), ("&amp;a", "&a"),
      ("<![CDATA[a]]>", "a"), ("\u{FEFF}", "\u{FEFF}"), ("", ""),
    ])
  func marks(content: String, text: String) throws {
    let read = try #require(try value("<array><string>\(content)</string><string/></array>") as? [String])
    #expect(read[0].unicodeScalars.elementsEqual(text.unicodeScalars) && read[1] == "")
    let keys = try #require(try value("<dict><key>\(content)</key><true/></dict>") as? [String: Any])
    #expect(keys.keys.first?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
    let written = try KVDocument([text: text], format: .xml).data()
    #expect(try KVDocument(data: written).root as? [String: String] == [text: text])
  }

  @Test("DOC.2: an integer of 128 bits of a binary property list is read exactly")
  func wideIntegers() throws {
    let object = [0x14] + [UInt8](repeating: 0, count: 7) + [1] + [UInt8](repeating: 0, count: 7) + [1]
    let start = Array("bplist00".utf8) + object
    let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0]
    let end = [UInt8](repeating: 0, count: 7) + [UInt8(start.count)]
    #expect(try KVDocument(data: Data(start + [8] + trailer + end)).root as? Int128 == 1 << 64 + 1)
  }

  @Test("KVC.18: what a property list cannot hold is named by its path")
  func refusals() {
    for (value, path) in [
      (["a": [1, nil] as [Int?]] as Any, "a[1]"), (["a": ["b": Int128.max]], "a.b"), (["t": KVObject()], "t"),
    ] {
      let error = #expect(throws: KVError.self) { try PropertyListCoding.data(from: value) }
      #expect(error?.code == .unsupported)
      #expect(error?.keyPath == path)
    }
    #expect(throws: KVError.self) { try PropertyListCoding.data(from: Int?.none as Any) }
    #expect(throws: KVError.self) { try KVRecord(KVDocument(data: PropertyListCoding.data(from: [1]))) }
  }

  @Test(
    "DOC.1, DOC.2: JSON is written without white space, and neither dates nor data, unless the caller asks for them")
  func writingByDefault() throws {
    func text(_ value: Any) throws -> String {
      String(decoding: try KVDocument(KVRecord(["a": value]), format: .json).data(), as: UTF8.self)
    }
    #expect(try text(1) == #"{"a":1}"#)
    #expect(throws: KVError.self) { try text(Date(timeIntervalSinceReferenceDate: 0)) }
    #expect(throws: KVError.self) { try text(Data([1])) }
  }

  @Test(
    "DOC.1: the content says that a document is a property list, with and without a declaration",
    arguments: [
      "", #"<?xml version="1.0"?>"#, "\n\u{FEFF}", #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x">"#,
    ])
  func contentFormat(head: String) throws {
    let data = Data("\(head)<plist><dict><key>a</key><integer>1</integer></dict></plist>".utf8)
    #expect(KVDocument.Format(of: data) == .xml)
  }

  @Test("DOC.1: XML property lists are read in UTF-8, UTF-16, UTF-32 and ISO-8859-1")
  func encodings() throws {
    func text(_ name: String?, mark: String = "") -> String {
      let declaration = name.map { #"<?xml version="1.0" encoding="\#($0)"?>"# + "\n" } ?? ""
      return "\(mark)\(declaration)<plist version=\"1.0\"><array><string>ä</string></array></plist>"
    }
    let encodings: [(String.Encoding, String?)] = [
      (.utf8, nil), (.utf8, "utf-8"), (.utf8, "UTF-8"), (.isoLatin1, "ISO-8859-1"), (.utf16, "UTF-16"),
      (.utf16LittleEndian, "UTF-16"), (.utf16BigEndian, "UTF-16LE"), (.utf16BigEndian, nil), (.utf32, "UTF-32"),
      (.utf32LittleEndian, nil), (.utf32BigEndian, "UTF-32"),
    ]
    for (encoding, name) in encodings {
      for mark in encoding == .isoLatin1 ? [""] : ["", "\u{FEFF}"] {
        let data = try #require(text(name, mark: mark).data(using: encoding))
        #expect(try KVDocument(data: data, format: .xml).root as? [String] == ["ä"], "\(encoding) \(name ?? "-")")
      }
    }
    let other = #expect(throws: KVError.self) { try KVDocument(data: Data(text("utf-7").utf8), format: .xml) }
    #expect(
      other?.message == #"the property list cannot be read: its encoding is "utf-7"; convert it to UTF-8."#)
    let half = Data([0xFF, 0xFE]) + Data("<".utf16.flatMap { [UInt8($0), 0] }) + Data([0x00, 0xD8, 0x20, 0x00])
    let broken = #expect(throws: KVError.self) { try KVDocument(data: half, format: .xml) }
    #expect(broken?.code == .invalidDocument)
  }

  @Test("DOC.1: empty arrays and dictionaries beside each other are not nested")
  func emptyContainers() throws {
    let many = (0..<300).map { $0.isMultiple(of: 2) ? [Any]() as Any : [String: Any]() }
    let data = try KVDocument(many, format: .xml).data()
    #expect((try KVDocument(data: data).root as? [Any])?.count == 300)
    let spaced = "<plist><array>" + String(repeating: "<array />", count: 300) + "</array></plist>"
    #expect((try KVDocument(data: Data(spaced.utf8)).root as? [Any])?.count == 300)
  }

  @Test("DOC.1: a document is read in the format that the caller names, whatever its content looks like")
  func namedFormat() throws {
    let json = Data(#"{"a": 1}"#.utf8)
    #expect(try KVDocument(data: json, format: .json).root as? [String: Int] == ["a": 1])
    #expect(throws: KVError.self) { try KVDocument(data: json, format: .xml) }
    #expect(throws: KVError.self) { try KVDocument(data: PropertyListCoding.data(from: ["a": 1]), format: .json) }
  }

  @Test("DOC.1: nil members are left out, and keys are sorted")
  func writing() throws {
    let data = try PropertyListCoding.data(
      from: ["b": 1, "a": nil, "c": Decimal(2), "A": Set([2, 1])] as [String: Any?])
    let text = String(decoding: data, as: UTF8.self)
    let keys = text.matches(of: #/<key>(.)</key>/#).map { String($0.output.1) }
    #expect(keys == ["A", "b", "c"])
    #expect(text.contains("<integer>1</integer>\n\t\t<integer>2</integer>"))
  }
}
