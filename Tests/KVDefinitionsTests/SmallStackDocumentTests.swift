import Foundation
import KVBinding
import KVControllers
import KVCore
import KVDefinitions
import KVDocuments
import TestModels
import Testing

/// Documents and values that are nested as deeply as DOC.1 and KVC.18 permit, and more.
private enum NestedDocument: String, CaseIterable {
  case arrays, objects, excerpts, projections, writing, prettyWriting, records, recordWriting
  case xmlArrays, xmlDictionaries, xmlInstructions, xmlUTF16, xmlUTF7, xmlWriting, binaryReading, binaryWriting
  case transforming, textPropertyList
  case hashableWriting, hashableXMLWriting, hashableBinaryWriting, hashableArchiving, hashableRecordWriting, setWriting
  case grouping, recording

  /// Whether it is read where the stack is large enough.
  var isReadable: Bool { self != .textPropertyList && self != .xmlUTF7 }

  /// Whether more than the permitted depth is refused.
  var isLimited: Bool { ![.recordWriting, .grouping, .recording].contains(self) }

  private static func nested(_ open: String, _ inner: String, _ close: String, _ depth: Int) -> Data {
    Data((String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)).utf8)
  }

  private static func dictionaries(_ depth: Int) -> [String: Any] {
    (1..<depth).reduce(["end": 1]) { inner, _ in ["next": inner] }
  }

  private static func arrays(_ depth: Int) -> Any { (0..<depth).reduce(1 as Any) { inner, _ in [inner] } }

  private static func hashables(_ depth: Int) -> AnyHashable {
    (0..<depth).reduce(AnyHashable(1)) { inner, level in level % 2 == 0 ? [inner] : ["a": inner] }
  }

  private static func xml(_ open: String, _ close: String, _ depth: Int) -> Data {
    Data("<plist>".utf8) + nested(open, "<integer>1</integer>", close, depth) + Data("</plist>".utf8)
  }

  /// Returns the work; what it works on is made, and freed, elsewhere.
  func work(_ depth: Int) throws -> () throws -> Void {
    switch self {
    case .arrays:
      let data = Self.nested("[", "1", "]", depth)
      return { _ = try KVDocument(data: data) }
    case .objects:
      let data = Self.nested(#"{"a":"#, "null", "}", depth)
      return { _ = try KVDocument(data: data) }
    case .excerpts:
      let data = Self.nested(#"{"a":[0,"#, "null", "]}", depth / 2)
      let path = try KVKeyPath(components: (0..<depth / 2).flatMap { _ in [.key("a"), .index(1)] })
      return {
        for path in [path, "b"] {
          var rest: Data? = data
          _ = try KVDocumentExcerpt(of: path) {
            defer { rest = nil }
            return rest
          }
        }
      }
    case .projections:
      let data = Self.nested("[", #"{"a":1}"#, "]", depth - 1)
      return {
        var rest: Data? = data
        _ = try KVDocumentExcerpt(of: "a") {
          defer { rest = nil }
          return rest
        }
      }
    case .writing, .prettyWriting:
      let document = KVDocument(Self.dictionaries(depth))
      return { _ = try document.data(isPretty: self == .prettyWriting) }
    case .records:
      let data = Self.nested(#"{"a":"#, "1", "}", depth)
      return { _ = try KVRecord(json: data) }
    case .recordWriting:
      let record = try? KVRecord(Self.dictionaries(min(depth, 200)))
      return { _ = try record?.json() }
    case .xmlArrays:
      let data = Self.xml("<array>", "</array>", depth)
      return { _ = try KVDocument(data: data) }
    case .xmlDictionaries:
      let open = "<dict><key>a</key><!-- </dict> --><string><![CDATA[</dict>]]></string><key>b</key>"
      let data = Self.xml(open, "</dict>", depth)
      return { _ = try KVDocument(data: data) }
    case .xmlInstructions:
      // As many ends of arrays, which Foundation's reader skips.
      let ends = String(repeating: "</array>", count: depth)
      let start = "<plist><?x \(ends) ?><!-- \(ends) -->"
      let data = Data(start.utf8) + Self.xml("<array>", "</array>", depth).dropFirst(7)
      return { _ = try KVDocument(data: data) }
    case .xmlUTF16:
      // The bytes of these characters are those of "</array ".
      let hidden = String(repeating: "\u{3C2F}\u{6172}\u{7261}\u{7920}", count: depth)
      let inner = String(decoding: Self.xml("<array>", "</array>", depth - 1).dropFirst(7).dropLast(8), as: UTF8.self)
      let text = "<plist><array><string>\(hidden)</string>\(inner)</array></plist>"
      let data = Data([0xFE, 0xFF]) + (text.data(using: .utf16BigEndian) ?? Data())
      return { _ = try KVDocument(data: data, format: .xml) }
    case .xmlUTF7:
      // Foundation's reader takes "+ADw-" for "<" where the declaration says so.
      let start = #"<?xml version="1.0" encoding="UTF-7"?>"#
      let data = Data(start.utf8) + Self.xml("+ADw-array>", "+ADw-/array>", depth)
      return { _ = try KVDocument(data: data, format: .xml) }
    case .xmlWriting, .binaryWriting:
      let document = KVDocument(Self.dictionaries(depth), format: self == .xmlWriting ? .xml : .binary)
      return { _ = try document.data() }
    case .binaryReading:
      let tree = Self.arrays(depth)
      let data = try PropertyListSerialization.data(fromPropertyList: tree, format: .binary, options: 0)
      return { _ = try KVDocument(data: data) }
    case .transforming:
      let nest = Self.arrays(depth)
      let transformer = KVTransformer("twice") { (number: Int) in 2 * number }
      return { _ = try transformer.transform(nest) }
    case .hashableWriting, .hashableXMLWriting, .hashableBinaryWriting:
      let format: KVDocument.Format =
        self == .hashableWriting ? .json : self == .hashableXMLWriting ? .xml : .binary
      let document = KVDocument([Self.hashables(depth - 1)] as [Any], format: format)
      return { _ = try document.data() }
    case .hashableArchiving:
      let value = Self.hashables(depth)
      return { _ = try KVTransformer.archive.transform(value) }
    case .hashableRecordWriting:
      let record = KVRecord()
      record["a"] = Self.hashables(depth - 1)
      return { _ = try record.json() }
    case .setWriting:
      let document = KVDocument(Set([Self.hashables(depth - 1)]), format: .json)
      return { _ = try document.data() }
    case .grouping, .recording:
      let shelf = Bookcase()
      shelf.content = self == .grouping ? Self.arrays(depth) : Self.hashables(depth)
      shelf.list = [shelf.content as Any]
      return {
        if self == .grouping {
          for key in ["content", "list"] {
            #expect((try? KVGroups<Bookcase>(of: key, in: shelf, by: "content")) == nil)
          }
        } else {
          let manager = KVUndoManager()
          do { try manager.record(shelf) } catch { #expect((error as? KVError)?.code == .notObservable) }
          shelf.list = []
        }
      }
    case .textPropertyList:
      let data = Self.nested("(", "x", ")", depth)
      return { _ = try KVDocument(data: data, format: .xml) }
    }
  }
}

private final class Bookcase: KVObject {
  @KVProperty var content: Any?
  @KVProperty var list: [Any] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Bookcase.self) { key in
      key("content", \.content)
      key("list", \.list)
    }
  }
}

@Suite("DOC.1: nested documents on small stacks")
struct SmallStackDocumentTests {
  @Test(
    "DOC.1, KVC.18: every permitted depth works, or throws limitExceeded where the stack of the thread is too small",
    arguments: NestedDocument.allCases.map(\.rawValue), SmallStack.sizes)
  func depths(_ name: String, _ kilobytes: Int) throws {
    let document = try #require(NestedDocument(rawValue: name))
    for depth in [2, 100, 200, 202, 500] {
      let error = SmallStack.error(kilobytes: kilobytes, try document.work(depth)) as? KVError
      if depth == 2 || kilobytes == 8_192 && depth <= 200, document.isReadable {
        #expect(error == nil, "\(depth)")
      } else if depth > 200, document.isLimited, document.isReadable {
        #expect(error?.code == .limitExceeded, "\(depth)")
      } else {
        let codes: [KVError.Code] = [.limitExceeded, .invalidDocument, .unsupported]
        #expect(error.map { codes.contains($0.code) } ?? true, "\(depth): \(error!)")
      }
    }
  }

  @Test("DOC.1: the error says that the stack is too small, and where a larger one is needed")
  func message() throws {
    let data = Data((String(repeating: "[", count: 200) + String(repeating: "]", count: 200)).utf8)
    let document = KVDocument((1..<200).reduce(["a": 1]) { inner, _ in ["a": inner] } as [String: Any], format: .xml)
    // The C library may give a thread a larger stack that an earlier one has left.
    let reading = SmallStack.error(kilobytes: 64) { _ = try KVDocument(data: data) } as? KVError
    #expect(
      reading?.message.hasSuffix(
        "arrays and objects are nested too deeply for the stack of this thread; use a thread with a larger stack.")
        ?? true)
    let writing = SmallStack.error(kilobytes: 256) { _ = try document.data() } as? KVError
    #expect(
      writing?.message.hasSuffix(
        "arrays and dictionaries are nested too deeply for the stack of this thread; use a thread with a larger stack.")
        ?? true)
  }

  @Test("KVC.18: a path through thousands of selections works, or throws limitExceeded", arguments: SmallStack.sizes)
  func selections(_ kilobytes: Int) throws {
    for count in [1, 100, 2_000] {
      let controller = KVObjectController<KVController>()
      controller.content = controller
      defer { controller.content = nil }
      let path = Array(repeating: "selection", count: count).joined(separator: ".") + ".canAdd"
      nonisolated(unsafe) let chosen = controller
      let error = SmallStack.error(kilobytes: kilobytes) { _ = try chosen.value(forKeyPath: path) } as? KVError
      let written = SmallStack.error(kilobytes: kilobytes) { try chosen.setValue(true, forKeyPath: path) } as? KVError
      if count == 1 { #expect(error == nil) } else { #expect(error == nil || error?.code == .limitExceeded) }
      // The key cannot be set.
      #expect(written != nil)
    }
  }
}
