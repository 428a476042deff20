import Foundation
import KVBinding
import KVDocuments

/// The text of a JSON document in which the text of some values is replaced, and every other byte stays as it is.
///
/// The document has been read before: its text is valid.
struct JSONSplice {
  private let bytes: [UInt8]
  private let value: [UInt8]
  private var edits: [(range: Range<Int>, text: [UInt8])] = []

  /// Returns a document with another value at a path, whose last key may be new.
  ///
  /// - Parameters:
  ///   - document: The document, in UTF-8.
  ///   - path: The path, which has been set in the values of the document.
  ///   - value: The JSON text of the value.
  static func data(_ document: Data, setting path: KVKeyPath, to value: Data) -> Data {
    var splice = JSONSplice(bytes: Array(document), value: Array(value))
    let start = splice.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    splice.set(path.components[...], at: splice.space(from: start))
    return splice.result
  }

  private init(bytes: [UInt8], value: [UInt8]) { (self.bytes, self.value) = (bytes, value) }

  private var result: Data {
    var (result, index) = (Data(), 0)
    for (range, text) in edits {
      result += bytes[index..<range.lowerBound] + text
      index = range.upperBound
    }
    return result + bytes[index...]
  }

  // MARK: Following the path

  private mutating func set(_ path: ArraySlice<KVKeyPath.Component>, at start: Int) {
    guard let component = path.first else { return edits.append((start..<end(ofValueAt: start), value)) }
    let rest = path.dropFirst()
    let isArray = bytes[start] == UInt8(ascii: "[")
    switch component {
    case .operator("self", argument: nil): set(rest, at: start)
    case .operator("firstObject", argument: nil) where isArray: elements(at: start).first.map { set(rest, at: $0) }
    case .operator("lastObject", argument: nil) where isArray: elements(at: start).last.map { set(rest, at: $0) }
    case .operator: break
    case .index(let index):
      if isArray, case let elements = elements(at: start), elements.indices.contains(index) {
        set(rest, at: elements[index])
      }
    case .key(let name), .entry(let name):
      if isArray {
        for element in elements(at: start) { set(path, at: element) }
      } else if bytes[start] == UInt8(ascii: "{") {
        set(name, component, rest, inObjectAt: start)
      }
    }
  }

  private mutating func set(
    _ name: String, _ component: KVKeyPath.Component, _ rest: ArraySlice<KVKeyPath.Component>, inObjectAt start: Int
  ) {
    let members = members(at: start)
    if let member = members.first(where: { self.name(in: $0.name) == name }) {
      set(rest, at: member.value)
    } else if component == .key("self"), !rest.isEmpty {
      set(rest, at: start)
    } else if rest.isEmpty {
      insert(name, behind: members, inObjectAt: start)
    }
  }

  /// Adds a member in the layout of the last one.
  private mutating func insert(_ name: String, behind members: [Member], inObjectAt start: Int) {
    let quoted = (try? KVDocument(name).data()).map { Array($0) } ?? []
    guard let last = members.last else {
      let colon = Array((bytes.contains(0x0A) ? ": " : ":").utf8)
      return edits.append((start + 1..<end(ofValueAt: start) - 1, quoted + colon + value))
    }
    let end = end(ofValueAt: last.value)
    let text = [UInt8(ascii: ",")] + bytes[last.space] + quoted + bytes[last.name.upperBound..<last.value] + value
    edits.append((end..<end, text))
  }

  // MARK: Scanning

  private struct Member {
    /// The white space before the name.
    var space: Range<Int>
    /// The name, with its quotes.
    var name: Range<Int>
    /// Where the value begins.
    var value: Int
  }

  private func members(at start: Int) -> [Member] {
    var (members, index): ([Member], Int) = ([], start + 1)
    while case let name = space(from: index), bytes[name] == UInt8(ascii: "\"") {
      let end = end(ofTextAt: name)
      let value = space(from: space(from: end) + 1)
      members.append(Member(space: index..<name, name: name..<end, value: value))
      index = space(from: self.end(ofValueAt: value)) + 1
      if bytes[index - 1] != UInt8(ascii: ",") { break }
    }
    return members
  }

  /// Returns where the elements of an array begin.
  private func elements(at start: Int) -> [Int] {
    var (elements, index): ([Int], Int) = ([], space(from: start + 1))
    while bytes[index] != UInt8(ascii: "]") {
      elements.append(index)
      index = space(from: end(ofValueAt: index))
      if bytes[index] == UInt8(ascii: ",") { index = space(from: index + 1) }
    }
    return elements
  }

  private func name(in range: Range<Int>) -> String? {
    let text = bytes[range]
    if !text.contains(UInt8(ascii: "\\")) { return String(decoding: text.dropFirst().dropLast(), as: UTF8.self) }
    return try? KVDocument(data: Data(text), format: .json).root as? String
  }

  private func space(from start: Int) -> Int {
    var index = start
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    return index
  }

  private func end(ofTextAt start: Int) -> Int {
    var index = start + 1
    while bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
    return index + 1
  }

  private func end(ofValueAt start: Int) -> Int {
    var (index, depth) = (start, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = end(ofTextAt: index)
        if depth == 0 { return index }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        // The end of the container of a number or a word.
        if depth == 0 { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D: if depth == 0 { return index }
      default: break
      }
      index += 1
    }
    return index
  }
}
