import Foundation

/// How deeply an XML property list is nested, as far as its marks tell, whether it is well-formed or not.
///
/// Foundation's reader recurses, and follows more levels than a small stack has room for.
enum XMLNesting {
  /// Returns the number of arrays and dictionaries in one another; nil if the document does not begin as XML.
  ///
  /// - Complexity: O(*n*) in the bytes.
  static func height(of data: Data) -> Int? {
    // Of UTF-16 and UTF-32, too; the marks are ASCII.
    let bytes = data.contains(0) ? data.filter { $0 != 0 } : Array(data)
    // The marks of an order of bytes are no ASCII.
    guard bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "<") else { return nil }
    var (depth, height, position) = (0, 0, 0)
    while let mark = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      let rest = bytes[(mark + 1)...]
      position = mark + 1
      if rest.starts(with: "!--".utf8) {
        position = end(of: "-->", in: rest) ?? bytes.count
      } else if rest.starts(with: "![CDATA[".utf8) {
        position = end(of: "]]>", in: rest) ?? bytes.count
      } else if rest.starts(with: "array".utf8) || rest.starts(with: "dict".utf8) {
        depth += 1
        height = max(height, depth)
      } else if rest.starts(with: "/array".utf8) || rest.starts(with: "/dict".utf8) {
        depth -= 1
      }
    }
    return height
  }

  private static func end(of mark: String, in bytes: ArraySlice<UInt8>) -> Int? {
    let mark = Array(mark.utf8)
    return bytes.indices.first { bytes[$0] == mark[0] && bytes[$0...].starts(with: mark) }.map { $0 + mark.count }
  }
}
