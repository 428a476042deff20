import Foundation
import KVBinding
import KVDocuments
import Testing

@Suite("Limits of property lists")
struct PropertyListLimitTests {
  /// Makes a binary property list of objects that are given as bytes, with references of two bytes.
  private func list(_ objects: [[UInt8]], offsets: [Int]? = nil, body: [UInt8]? = nil) -> Data {
    var bytes = Array("bplist00".utf8)
    var places: [Int] = []
    for object in objects {
      places.append(bytes.count)
      bytes += object
    }
    bytes += body ?? []
    let table = bytes.count
    for place in offsets ?? places { bytes += bigEndian(place, 4) }
    bytes += [0, 0, 0, 0, 0, 0, 4, 2] + bigEndian((offsets ?? places).count, 8) + bigEndian(0, 8) + bigEndian(table, 8)
    return Data(bytes)
  }

  private func bigEndian(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * (size - 1 - $0))) }
  }

  /// Arrays of which each has the next one twice.
  private func doublings(_ count: Int) -> Data {
    list((1...count).map { [0xA2] + bigEndian($0, 2) + bigEndian($0, 2) } + [[0x09]])
  }

  @Test("DOC.5: an array that is referred to many times is read once, and each of its elements counts each time")
  func elements() throws {
    // 2 + 4 + … + 2^n elements.
    for (count, limit) in [(40, 10_000_000), (23, 10_000_000), (10, 2_045)] {
      let error = #expect(throws: KVError.self) { try KVDocument(data: doublings(count), elementLimit: limit) }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.message == """
          the property list cannot be read: its arrays and dictionaries have more than \(limit) elements, each counted as \
          often as it is referred to; pass a higher elementLimit to read it all the same.
          """)
    }
    #expect(try KVDocument(data: doublings(10), elementLimit: 2_046).root is [Any])
    #expect(try KVDocument(data: doublings(40), elementLimit: .max).root is [Any])
  }

  @Test("DOC.5: by default a property list has 10 elements for each of its bytes, and 10,000,000 at most")
  func elementsOfBytes() throws {
    // 510 elements in 117 bytes, and 2,046 in 135.
    #expect(doublings(8).count == 117 && doublings(10).count == 135)
    #expect(try KVDocument(data: doublings(8)).root is [Any])
    let error = #expect(throws: KVError.self) { try KVDocument(data: doublings(10)) }
    #expect(
      error?.message == """
        the property list cannot be read: its arrays and dictionaries have more than 1350 elements, each counted as often as \
        it is referred to; pass a higher elementLimit to read it all the same.
        """)
    #expect(throws: KVError.self) { try KVDocumentExcerpt(of: "@count", from: Chunks(doublings(10), 100).next) }
    // What is not shared has less than an element for each byte.
    let arrays = Array(repeating: [[[Bool]]](repeating: [[true, false]], count: 50), count: 50)
    let data = try PropertyListSerialization.data(fromPropertyList: arrays, format: .binary, options: 0)
    #expect(try (KVDocument(data: data).root as? [Any])?.count == 50)
    // Padding helps up to 10,000,000.
    let objects = (1...23).map { [0xA2] + bigEndian($0, 2) + bigEndian($0, 2) } + [[0x09]]
    let padded = list(objects, body: Array(repeating: 0, count: 2_000_000))
    #expect(#expect(throws: KVError.self) { try KVDocument(data: padded) }?.message.contains("10000000") == true)
  }

  @Test("DOC.5: a string or data, also as a key, count as one element more for each 64 bytes")
  func longTexts() throws {
    let long = [0x5F, 0x11] + bigEndian(6_400, 2) + [UInt8](repeating: 0x61, count: 6_400)
    func array(_ count: Int) -> Data {
      list([[0xAF, 0x11] + bigEndian(count, 2) + (0..<count).flatMap { _ in bigEndian(1, 2) }, long])
    }
    // 101 elements each, in 6,456 bytes and two more for each.
    #expect(try (KVDocument(data: array(600)).root as? [String])?.count == 600)
    #expect(#expect(throws: KVError.self) { try KVDocument(data: array(2_000)) }?.code == .limitExceeded)
    #expect(try (KVDocument(data: array(2_000), elementLimit: 202_000).root as? [String])?.count == 2_000)
    #expect(throws: KVError.self) { try KVDocument(data: array(2_000), elementLimit: 201_999) }
    func dictionaries(_ count: Int) -> Data {
      let entries = [0xAF, 0x11] + bigEndian(count, 2) + (0..<count).flatMap { bigEndian($0 + 3, 2) }
      return list([entries, long, [0x09]] + (0..<count).map { _ in [0xD1] + bigEndian(1, 2) + bigEndian(2, 2) })
    }
    #expect(try (KVDocument(data: dictionaries(500)).root as? [Any])?.count == 500)
    // An array of dictionaries, each with a name of 100 elements and a value.
    #expect(throws: KVError.self) { try KVDocument(data: dictionaries(500), elementLimit: 500 * 102 - 1) }
    #expect(throws: Never.self) { try KVDocument(data: dictionaries(500), elementLimit: 500 * 102) }
  }

  @Test(
    "DOC.2: a date that is not a finite number of seconds is refused, by every format, reading and writing",
    arguments: [Double.nan, .infinity, -.infinity])
  func dates(seconds: Double) throws {
    let bits = bigEndian(Int(bitPattern: UInt(seconds.bitPattern)), 8)
    let sentence = "a date of \(seconds) seconds is not a point in time; leave it out, or correct it."
    let error = #expect(throws: KVError.self) { try KVDocument(data: list([[0xA1] + bigEndian(1, 2), [0x33] + bits])) }
    #expect(error?.message == "the property list cannot be read: \(sentence)")
    let date = Date(timeIntervalSinceReferenceDate: seconds)
    for (format, name) in [(KVDocument.Format.json, "JSON"), (.xml, "a property list"), (.binary, "a property list")] {
      for value in [[date] as Any, Set([AnyHashable([date])])] {
        let error = #expect(throws: KVError.self) {
          try KVDocument(["when": value], format: format).data(datesAsText: true)
        }
        #expect(error?.message.hasPrefix("cannot be written as \(name): at when") == true)
        #expect(error?.message.hasSuffix(sentence) == true)
      }
    }
  }

  @Test("DOC.5: elements are counted in dictionaries, too, and in excerpts")
  func dictionaries() throws {
    let objects: [[UInt8]] =
      (0..<40).map { [0xD2] + bigEndian(41, 2) + bigEndian(42, 2) + bigEndian($0 + 1, 2) + bigEndian($0 + 1, 2) }
      + [[0x09], [0x51, 0x61], [0x51, 0x62]]
    let error = #expect(throws: KVError.self) { try KVDocument(data: list(objects)) }
    #expect(error?.code == .limitExceeded)
    let excerpt = #expect(throws: KVError.self) {
      try KVDocumentExcerpt(of: "a", from: Chunks(list(objects), 100).next)
    }
    #expect(excerpt?.code == .limitExceeded)
  }

  @Test("DOC.5: objects that share bytes are refused, so that a small file does not become a large value")
  func overlaps() {
    let count = 2_000
    // Data objects of 4,000 bytes, each of which begins four bytes behind the one before it.
    let array = [0xAF, 0x11] + bigEndian(count, 2) + (1...count).flatMap { bigEndian($0, 2) }
    let region = (0..<(count + 1_200)).flatMap { _ in [0x4F, 0x11, 0x0F, 0xA0] as [UInt8] }
    let offsets = [8] + (0..<count).map { 8 + array.count + 4 * $0 }
    let data = list([], offsets: offsets, body: array + region)
    let error = #expect(throws: KVError.self) { try KVDocument(data: data) }
    #expect(error?.code == .invalidDocument)
    // Arrays of many references, one inside of the other.
    let arrays = (0..<count).flatMap { _ in [0xAF, 0x11, 0x0F, 0xA0] as [UInt8] }
    let many = list([], offsets: (0..<count).map { 8 + 4 * $0 }, body: arrays + [UInt8](repeating: 0, count: 9_000))
    #expect(throws: KVError.self) { try KVDocument(data: many) }
  }

  @Test("DOC.3: a key that occurs twice in a dictionary is refused, under any reference")
  func repeatedKeys() {
    let entries = bigEndian(1, 2) + bigEndian(2, 2) + bigEndian(3, 2) + bigEndian(3, 2)
    for second: [UInt8] in [[0x51, 0x61], [0x61, 0, 0x61]] {
      let error = #expect(throws: KVError.self) {
        try KVDocument(data: list([[0xD2] + entries, [0x51, 0x61], second, [0x09]]))
      }
      #expect(error?.message == "not a property list: a dictionary has the key \"a\" twice; take one of the two out.")
    }
  }

  @Test("KVC.18: two hundred containers are followed, and not one more", arguments: [KVDocument.Format.xml, .binary])
  func depth(format: KVDocument.Format) throws {
    func document(_ depth: Int, _ start: String, _ end: String) throws -> Data {
      let text = String(repeating: start, count: depth) + "<true/>" + String(repeating: end, count: depth)
      let xml = Data("<plist>\(text)</plist>".utf8)
      if format == .xml { return xml }
      let tree = try PropertyListSerialization.propertyList(from: xml, format: nil)
      return try PropertyListSerialization.data(fromPropertyList: tree, format: .binary, options: 0)
    }
    for (start, end) in [("<array>", "</array>"), ("<dict><key>a</key>", "</dict>")] {
      #expect(throws: Never.self) { try KVDocument(data: document(200, start, end)) }
      let error = #expect(throws: KVError.self) { try KVDocument(data: document(201, start, end)) }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test("KVC.18: XML that is nested very deeply is refused before Foundation's reader follows it")
  func veryDeepXML() {
    for start in ["<array>", "<dict><key>a</key>"] {
      let error = #expect(throws: KVError.self) {
        try KVDocument(data: Data("<plist>\(String(repeating: start, count: 200_000))".utf8))
      }
      #expect(error?.code == .limitExceeded || error?.code == .invalidDocument)
    }
  }
}
