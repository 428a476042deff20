import KVCore

/// How deeply a regular expression is nested, as far as its marks tell, whether it is well-formed or not.
///
/// The standard library parses and compiles with recursion, and asks for no room on the stack itself.
struct RegexNesting {
  /// The groups, the classes of characters, and the operators in classes, which nest as well.
  private(set) var count = 0
  /// The stack that parsing, compiling and matching take, in bytes, by measurement and a little more.
  let stackSize: Int

  private static let groupSize = 6 << 10
  private static let classSize = 15 << 10
  private static let operatorSize = 8 << 10

  init(_ text: String) {
    let bytes = Array(text.utf8)
    var (groups, classes, operators) = (Depth(), Depth(), 0)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      switch byte {
      case UInt8(ascii: "\\"): position += 1
      case UInt8(ascii: "["):
        classes.enter()
        // A bracket at the beginning can be a character of the class.
        if next == UInt8(ascii: "^") { position += 1 }
        if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "]") { position += 1 }
      case UInt8(ascii: "]"): classes.exit()
      case UInt8(ascii: "(") where classes.current > 0: groups.count()
      case UInt8(ascii: "("):
        groups.enter()
        // Options, as in (?i), enclose all that follows.
        if next == UInt8(ascii: "?"), let end = Self.endOfOptions(bytes, position + 2) { position = end }
      case UInt8(ascii: ")"): if classes.current == 0 { groups.exit() }
      case UInt8(ascii: "&"), UInt8(ascii: "-"), UInt8(ascii: "~"):
        if byte == next, classes.current > 0 { operators += 1 }
      default: break
      }
      position += 1
    }
    count = groups.total + classes.total + operators
    // What hides marks from the parser may hide that something ends.
    let isPlain = !["\\Q", "\\c", "#", "(?C", "(*", "<{"].contains { text.contains($0) }
    stackSize =
      (isPlain ? groups.greatest : groups.total) * Self.groupSize
      + (isPlain ? classes.greatest : classes.total) * Self.classSize + operators * Self.operatorSize
  }

  /// Returns the index of the parenthesis that ends a list of options; nil if there is another kind of group.
  private static func endOfOptions(_ bytes: [UInt8], _ start: Int) -> Int? {
    let end = bytes[start...].firstIndex { byte in
      !(UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "^"))
    }
    return end.flatMap { bytes[$0] == UInt8(ascii: ")") ? $0 : nil }
  }

  private struct Depth {
    private(set) var current = 0
    private(set) var greatest = 0
    private(set) var total = 0

    mutating func enter() {
      count()
      current += 1
      greatest = max(greatest, current)
    }

    mutating func exit() { current = max(0, current - 1) }

    mutating func count() { total += 1 }
  }
}
