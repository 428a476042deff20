import KVCore

extension JSONReader {
  /// Reads an object.
  ///
  /// - Parameters:
  ///   - depth: How many containers it is in.
  ///   - read: Reads the value of a member. It gets the line of the name if the name occurs for a second time, which is
  ///     a fault unless lines are noted.
  mutating func readMembers(
    _ depth: Int, _ read: (inout JSONReader, String, Int?) throws(DocumentFault) -> Void
  ) throws(DocumentFault) {
    try open(depth)
    if take("}") { return }
    var names = JSONNames()
    repeat {
      guard next == UInt8(ascii: "\"") else {
        throw expected(names.isEmpty ? "a name in double quotes or \"}\"" : "a name in double quotes")
      }
      let name = try string()
      var repeatedLine: Int?
      if !names.insert(name) {
        if depth >= outlineDepth { throw repetition(of: name) }
        repeatedLine = line
      }
      skipSpace()
      guard take(":") else { throw expected("\":\"") }
      do throws(DocumentFault) { try read(&self, name, repeatedLine) } catch { throw error.under(.naming(name)) }
      skipSpace()
    } while take(",")
    try close("}")
  }

  private func repetition(of name: String) -> DocumentFault {
    let short = name.count > 60 ? "\(name.prefix(60))…" : name
    return fault("the object has a member \(short.debugDescription) already; take one of the two out", at: tokenStart)
  }

  /// Reads an array.
  ///
  /// - Parameters:
  ///   - depth: How many containers it is in.
  ///   - read: Reads the element with an index.
  mutating func readElements(
    _ depth: Int, _ read: (inout JSONReader, Int) throws(DocumentFault) -> Void
  ) throws(DocumentFault) {
    try open(depth)
    if take("]") { return }
    var index = 0
    repeat {
      do throws(DocumentFault) { try read(&self, index) } catch { throw error.under(.index(index)) }
      index += 1
      skipSpace()
    } while take(",")
    try close("]")
  }

  private mutating func open(_ depth: Int) throws(DocumentFault) {
    if let nesting = NestingFault.entering(depth) {
      throw fault("arrays and objects are \(nesting.nested)\(nesting.cure())", code: .limitExceeded)
    }
    position += 1
    skipSpace()
  }

  /// Takes the mark at the end of a container, but not the space behind it.
  private mutating func close(_ mark: Unicode.Scalar) throws(DocumentFault) {
    guard next == UInt8(ascii: mark) else { throw expected("\",\" or \"\(mark)\"") }
    position += 1
  }

  /// Takes a mark and the space behind it, if it is the next.
  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: mark) else { return false }
    position += 1
    skipSpace()
    return true
  }

  mutating func readWord(_ word: String) -> Bool {
    fill(word.utf8.count)
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  mutating func skipSpace() {
    repeat {
      while position < bytes.count {
        switch bytes[position] {
        case 0x20, 0x09, 0x0D: break
        case 0x0A: line += 1
        default: return
        }
        position += 1
      }
    } while refill()
  }
}
