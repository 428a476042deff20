import KVCore

extension Target {
  /// KP.2, KP.4, KP.7: a path is printed as a text that parses to it; a fault has its place in the text.
  static let keyPaths = Target(name: "KeyPaths") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(KVError) {
      let path = try KVKeyPath(text)
      let printed = path.description
      expect(try KVKeyPath(printed) == path, "no round trip:", bytes, printed)
      expect(try KVKeyPath(printed).description == printed, "printed in two ways:", bytes, printed)
      expect(try KVKeyPath(components: path.components) == path, "its components make another path:", bytes)
      expect(path.components.reduce(0) { $0 + $1.description.utf8.count } > 0, "prints nothing:", bytes)
      expect(!(path < path), "sorts before itself:", bytes)
      expect(try KVKeyPath(quoted(path)) == path, "quotes of an argument matter:", bytes, quoted(path))
      if let parent = path.parent {
        expect(try parent.appending(path.last) == path, "parent and last make another path:", bytes)
        expect(parent < path, "does not sort behind its parent:", bytes)
        expect(path.dropping(prefix: parent)?.components == [path.last], "parent is no prefix:", bytes)
      }
    } catch {
      check(error, of: text, bytes)
    }
  }

  /// The text of a path in which every argument is quoted.
  private static func quoted(_ path: KVKeyPath) -> String {
    var text = ""
    for (index, component) in path.components.enumerated() {
      if case .operator(let name, let argument?) = component {
        let escaped = argument.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined()
        text += "\(index > 0 ? "." : "")@\(name)[\"\(escaped)\"]"
      } else {
        let isSubscript = component.description.utf8.first == UInt8(ascii: "[")
        text += "\(index > 0 && !isSubscript ? "." : "")\(component)"
      }
    }
    return text
  }

  /// KP.4: the error of a malformed path has the text, the offset and a sentence.
  static func check(_ error: KVError, of text: String, _ bytes: [UInt8]) {
    expect(error.code == .invalidKeyPath, "another code than invalidKeyPath:", bytes, error.message)
    expect(error.keyPath == text, "another text in the error of", bytes, error.message)
    expect(error.offset.map { (0...text.count).contains($0) } ?? false, "no offset:", bytes, error.message)
    expect(error.message.last == ".", "no sentence:", bytes, error.message)
  }
}
