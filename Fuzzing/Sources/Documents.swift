import Foundation
import KVBinding
import KVCore
import KVDocuments

extension Target {
  /// DOC.1 to DOC.4: JSON.
  static let json = Target(name: "JSON") { bytes in
    let data = Data(bytes)
    do throws(KVError) {
      let value = try JSONCoding.value(from: data)
      for options in [[], .pretty] as [JSONCoding.Options] {
        let written = try JSONCoding.data(from: value, options: options)
        let again = try JSONCoding.value(from: written)
        expect(Same.areSame(value, again), "no round trip:", bytes, String(decoding: written, as: UTF8.self))
        expect(try JSONCoding.data(from: again, options: options) == written, "written in two ways:", bytes)
        let foreign = try? JSONSerialization.jsonObject(with: written, options: .fragmentsAllowed)
        expect(foreign != nil, "Foundation does not read what is written of", bytes)
      }
      checkExcerpts(bytes, value: value, error: nil)
    } catch {
      checkPlace(error, bytes)
      checkExcerpts(bytes, value: nil, error: error)
    }
  }

  /// KVC.18: the error of a malformed document has a line and a column in it.
  private static func checkPlace(_ error: KVError, _ bytes: [UInt8]) {
    let message = error.message
    expect([.invalidDocument, .limitExceeded].contains(error.code), "an unexpected code:", bytes, message)
    expect(!message.contains("\n") && message.last == ".", "no sentence:", bytes, message)
    if message.hasSuffix("is not UTF-8.") { return }
    guard let (line, column) = place(in: message) else { found("no place:", bytes, message) }
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.indices.contains(line - 1) else { found("a line that is not there:", bytes, message) }
    let width = lines[line - 1].reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) }
    expect((1...width + 1).contains(column), "a column that is not there:", bytes, message)
  }

  /// The line and the column that a message names; the path before them may hold the same words.
  private static func place(in message: String) -> (line: Int, column: Int)? {
    guard let place = message.matches(of: #/line (\d+), column (\d+), /#).last else { return nil }
    return Int(place.1).flatMap { line in Int(place.2).map { (line, $0) } }
  }

  /// DOC.4: reading in chunks, and skipping, accept the same documents with the same sentences.
  private static func checkExcerpts(_ bytes: [UInt8], value: Any?, error: KVError?) {
    let size = 1 + Int(bytes.last ?? 0) % 7
    for path in ["self", "absent", "a[1].@count"] as [KVKeyPath] {
      var rest = bytes[...]
      do throws(KVError) {
        let excerpt = try KVDocumentExcerpt(of: path) {
          defer { rest = rest.dropFirst(size) }
          return Data(rest.prefix(size))
        }
        expect(error == nil || excerpt.format != .json, "an excerpt accepts", bytes, "\(path)")
        if path == "self", excerpt.format == .json {
          expect(Same.areSame(excerpt.root, value), "in chunks another value:", bytes)
        }
      } catch let excerptError {
        if KVDocument.Format(of: Data(bytes)) != .json { return }
        guard let error else { found("an excerpt refuses", bytes, "\(path): \(excerptError.message)") }
        expect(excerptError.message == error.message, "in chunks another sentence:", bytes, excerptError.message)
      }
    }
  }

  /// DOC.5: property lists in XML.
  ///
  /// Foundation's reader, off Apple's platforms, keeps the parts of a malformed document for good.
  static let xml = Target(name: "XML", checksMemory: false) { bytes in
    // Without its beginning a document is refused at once.
    let data = Data((bytes.first == UInt8(ascii: "<") ? "" : "<plist>").utf8) + Data(bytes)
    if KVDocument.Format(of: data) == .xml { checkPropertyList(data, bytes) }
  }

  /// DOC.5: binary property lists.
  static let binary = Target(name: "Binary") { bytes in
    let data = Data("bplist00".utf8) + Data(bytes)
    checkPropertyList(data, bytes)
  }

  private static func checkPropertyList(_ data: Data, _ bytes: [UInt8]) {
    do throws(KVError) {
      let value = try PropertyListCoding.value(from: data, elementLimit: 10_000)
      for format in [.binary, .xml] as [KVDocument.Format] {
        let written: Data
        do throws(KVError) { written = try PropertyListCoding.data(from: value, format: format) } catch {
          expect([.unsupported, .invalidDocument].contains(error.code), "cannot be written:", bytes, error.message)
          continue
        }
        let again: Any
        do throws(KVError) { again = try PropertyListCoding.value(from: written) } catch {
          if format == .xml, !Same.isText(value) { continue }
          found("what is written as \(format) cannot be read:", bytes, error.message)
        }
        if format == .xml, !Same.isText(value) { continue }
        let isSame = Same.areSame(value, again, isXML: format == .xml)
        expect(isSame, "no round trip by \(format):", bytes, "\(value) \(again)")
      }
    } catch {
      let codes: [KVError.Code] = [.invalidDocument, .unsupported, .limitExceeded]
      expect(codes.contains(error.code), "an unexpected code:", bytes, error.message)
      expect(error.message.last == ".", "no sentence:", bytes, error.message)
    }
  }
}
