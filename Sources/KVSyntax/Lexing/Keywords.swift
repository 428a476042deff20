/// The words of the language that the scanner tells from names.
enum Keywords {
  /// Words after which an operand follows, so that a slash begins a regular expression and a line goes on.
  static let precedingOperand: Set<Substring> = [
    "as", "await", "borrowing", "case", "catch", "consume", "copy", "discard", "do", "each", "else", "for", "guard",
    "if",
    "in", "inout", "is", "repeat", "return", "switch", "throw", "try", "unsafe", "where", "while", "yield",
  ]

  /// Words that stand before a declaration's own.
  static let modifiers: Set<Substring> = [
    "__consuming", "__setter_access", "_const", "_local", "actor", "async", "borrowing", "class", "consuming",
    "convenience", "distributed", "dynamic", "fileprivate", "final", "indirect", "infix", "internal", "isolated",
    "lazy", "mutating", "nonisolated", "nonmutating", "open", "optional", "override", "package", "postfix", "prefix",
    "private", "public", "reasync", "required", "sending", "static", "unowned", "weak",
  ]

  /// Words that begin a declaration.
  static let declarations: Set<Substring> = [
    "actor", "associatedtype", "case", "class", "deinit", "enum", "extension", "func", "import", "init", "let", "macro",
    "operator", "precedencegroup", "protocol", "struct", "subscript", "typealias", "var",
  ]

  /// Words that are never names without backticks.
  static let reserved: Set<Substring> = [
    "Any", "Self", "as", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
    "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
    "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
    "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while", "await", "_",
  ]

  /// Words that begin an accessor.
  static let accessors: Set<Substring> = [
    "_modify", "_read", "borrow", "didSet", "get", "init", "modify", "mutate", "read", "set", "unsafeAddress",
    "unsafeMutableAddress", "willSet", "yielding",
  ]
}
