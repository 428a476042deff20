import Foundation
import KVCore
import KVFoundation

/// The text of an XML property list as UTF-8, without the declaration that names its encoding.
///
/// Foundation's reader recurses, and follows more levels than a small stack has room for. Since it is given this text, it
/// cannot find other marks than those that are counted here.
struct XMLText {
  private let bytes: [UInt8]

  /// Decodes a document; nil if it does not begin as XML.
  ///
  /// - Throws: ``DocumentFault``: `unsupported` for an encoding other than UTF-8, UTF-16, UTF-32 and ISO-8859-1,
  ///   `invalidDocument` for text that is not of the encoding.
  init?(_ data: Data) throws(DocumentFault) {
    let (encoding, markSize) = Self.encoding(of: data)
    var bytes = encoding == .utf8 ? Array(data.dropFirst(markSize)) : try Self.utf8(data.dropFirst(markSize), encoding)
    if bytes.starts(with: "<?xml".utf8), let end = Self.end(of: "?>", in: bytes[...]) {
      let declaration = String(decoding: bytes[..<end], as: UTF8.self)
      let name = declaration.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/)?.1.lowercased() ?? "utf-8"
      switch name {
      case "iso-8859-1" where encoding == .utf8: bytes = try Self.utf8(data, .isoLatin1)
      case "utf-8", "us-ascii", "iso-8859-1": break
      case _ where name.hasPrefix("utf-16") || name.hasPrefix("utf-32"): break
      default: throw DocumentFault("its encoding is \"\(name)\"; convert it to UTF-8")
      }
      // Errors of the reader name lines.
      for index in bytes[..<end].indices where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
    }
    // A mark of the order of bytes can stand after white space.
    guard bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") else { return nil }
    self.bytes = bytes
  }

  /// The outline that the tags of a document describe, whether they are well-formed or not.
  struct Outline {
    /// The number of arrays and dictionaries in one another.
    var height = 0
    /// The number of keys in all dictionaries.
    var keyCount = 0
    /// Where strings and keys begin whose first character may be a mark of the order of bytes.
    var markedTexts: [Int] = []
  }

  /// The outline of the document.
  ///
  /// - Throws: ``DocumentFault`` (`invalidDocument`) for a date that does not exist, which Foundation reads as another one.
  /// - Complexity: O(*n*) in the bytes.
  func outline() throws(DocumentFault) -> Outline {
    var (outline, depth, badDate) = (Outline(), 0, ArraySlice<UInt8>?.none)
    forEachMark { mark, start in
      switch mark {
      case .opening:
        depth += 1
        outline.height = max(outline.height, depth)
      case .closing: depth = max(0, depth - 1)
      case .key, .string:
        if mark == .key { outline.keyCount += 1 }
        guard let text = text(afterMark: start), Self.canBeginWithMark(text) else { break }
        outline.markedTexts.append(text.startIndex)
      case .date:
        let text = plainText(afterMark: start)
        if let text, Date(text: String(decoding: text, as: UTF8.self)) == nil { badDate = text }
      }
      return badDate == nil
    }
    if let badDate { throw fault(ofDate: badDate) }
    return outline
  }

  private func fault(ofDate text: ArraySlice<UInt8>) -> DocumentFault {
    let lines = bytes[..<text.startIndex].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let column = String(decoding: lines.last ?? [], as: UTF8.self).unicodeScalars.count + 1
    let date = String(decoding: text.prefix(40), as: UTF8.self)
    return DocumentFault(
      "\(date.debugDescription) is not a date of the years 1 to 9999, as in 2026-11-22T07:20:00Z",
      code: .invalidDocument, line: lines.count, column: column)
  }

  // MARK: Marks of the order of bytes

  /// U+FEFF in UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Whether Foundation's reader drops such a mark, U+FEFF, that is the first character of a string or key.
  private static let readerDropsMarks: Bool = {
    let document = Data("<plist version=\"1.0\"><string>\u{FEFF}a</string></plist>".utf8)
    return (try? PropertyListSerialization.content(of: document).0) as? String == "a"
  }()

  /// Whether the first character of a text may be such a mark: as it is, by its number, or in a section of CDATA.
  private static func canBeginWithMark(_ text: ArraySlice<UInt8>) -> Bool {
    text.starts(with: mark) || text.first == UInt8(ascii: "&") || text.starts(with: "<!".utf8)
  }

  /// The document for Foundation's reader: where that drops a mark, it gets another one to drop.
  func data(_ outline: Outline) -> Data {
    guard !outline.markedTexts.isEmpty, Self.readerDropsMarks else { return Data(bytes) }
    var (data, start) = (Data(), 0)
    for text in outline.markedTexts {
      data += bytes[start..<text] + Self.mark
      start = text
    }
    return data + bytes[start...]
  }

  /// The text of a key that occurs twice in one dictionary, as far as both are spelt alike.
  var repeatedKey: String? {
    var (open, found): ([Set<ArraySlice<UInt8>>], String?) = ([[]], nil)
    forEachMark { mark, start in
      switch mark {
      case .opening: open.append([])
      case .closing: if open.count > 1 { open.removeLast() }
      case .key:
        guard let name = plainText(afterMark: start) else { return true }
        if !open[open.count - 1].insert(name).inserted { found = String(decoding: name, as: UTF8.self) }
      case .string, .date: break
      }
      return found == nil
    }
    return found
  }

  private enum Mark { case opening, closing, key, string, date }

  /// Calls a function with the marks of collections, keys, strings and dates, until it returns false.
  private func forEachMark(_ body: (Mark, Int) -> Bool) {
    var position = 0
    while let mark = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let remaining = bytes[(mark + 1)...]
      position = mark + 1
      var found: Mark?
      if remaining.starts(with: "!--".utf8) {
        position = Self.end(of: "-->", in: remaining) ?? bytes.count
      } else if remaining.starts(with: "![CDATA[".utf8) {
        position = Self.end(of: "]]>", in: remaining) ?? bytes.count
      } else if remaining.starts(with: "?".utf8) {
        position = Self.end(of: "?>", in: remaining) ?? bytes.count
      } else if remaining.starts(with: "array".utf8) || remaining.starts(with: "dict".utf8) {
        found = .opening
      } else if remaining.starts(with: "/array".utf8) || remaining.starts(with: "/dict".utf8) {
        found = .closing
      } else if remaining.starts(with: "key".utf8) {
        found = .key
      } else if remaining.starts(with: "string".utf8) {
        found = .string
      } else if remaining.starts(with: "date".utf8) {
        found = .date
      }
      guard let found else { continue }
      if !body(found, mark) { return }
      // An empty collection, `<array/>`, ends itself.
      if found == .opening, let end = end(ofMark: remaining), remaining[end - 1] == UInt8(ascii: "/"),
        !body(.closing, mark)
      {
        return
      }
    }
  }

  /// Returns the document behind the mark that begins at an index; nil if the mark ends itself, or does not end.
  private func text(afterMark start: Int) -> ArraySlice<UInt8>? {
    guard let end = end(ofMark: bytes[(start + 1)...]), bytes[end - 1] != UInt8(ascii: "/") else { return nil }
    return bytes[(end + 1)...]
  }

  /// Returns the text between a mark and the next one; nil as in ``text(afterMark:)``.
  private func plainText(afterMark start: Int) -> ArraySlice<UInt8>? {
    text(afterMark: start)?.prefix { $0 != UInt8(ascii: "<") }
  }

  /// Returns the index of the end of a mark; nil if another one begins before it.
  private func end(ofMark remaining: ArraySlice<UInt8>) -> Int? {
    let end = remaining.firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
    return end.flatMap { remaining[$0] == UInt8(ascii: ">") ? $0 : nil }
  }

  /// Returns the encoding that the mark of the order of bytes, or the zeros in the first character tell, and the number of
  /// bytes of the mark.
  private static func encoding(of data: Data) -> (String.Encoding, markSize: Int) {
    let start = data.prefix(4).map { $0 }
    if start.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
    if start.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
    if start.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if start.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    if start.starts(with: mark) { return (.utf8, mark.count) }
    let zeros = start.map { $0 == 0 }
    if zeros == [false, true, true, true] { return (.utf32LittleEndian, 0) }
    if zeros == [true, true, true, false] { return (.utf32BigEndian, 0) }
    if zeros.starts(with: [false, true]) { return (.utf16LittleEndian, 0) }
    if zeros.starts(with: [true, false]) { return (.utf16BigEndian, 0) }
    return (.utf8, 0)
  }

  private static func utf8(_ data: Data, _ encoding: String.Encoding) throws(DocumentFault) -> [UInt8] {
    guard let text = String(data: data, encoding: encoding) else {
      throw DocumentFault("its text is not valid in \(encoding)", code: .invalidDocument)
    }
    return Array(text.utf8)
  }

  private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let mark = Array(mark.utf8)
    return bytes.indices.first { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }.map { $0 + mark.count }
  }
}
