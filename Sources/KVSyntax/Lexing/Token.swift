/// A token of Swift source.
package struct Token: Equatable, Sendable {
  /// The kind of a token.
  package enum Kind: Equatable, Sendable {
    /// A name or a keyword: `count`, `var`, `` `default` ``, `$0`, `_`.
    case identifier
    /// A run of operator characters: `=`, `->`, `?`, `>>=`, `..<`.
    case `operator`
    /// A number, as it is written.
    case number
    /// A piece of a string literal: the whole literal, or what stands between two interpolations.
    case string
    /// A regular expression literal, with its delimiters.
    case regex
    /// A number sign and a name: `#if`, `#file`, `#Predicate`.
    case pound
    /// One character: a bracket, a comma, a semicolon, a colon, a period, an at sign or a backslash.
    case punctuation
  }

  package let kind: Kind
  /// The place in the source, in UTF-8.
  package let range: Range<Int>
  /// Whether white space or a comment is before the token.
  package let followsSpace: Bool
  /// Whether the token is the first on its line.
  package let isFirstOnLine: Bool
  /// The index of the bracket that closes or opens the pair; that of the end of the tokens if there is none.
  package internal(set) var partner = 0
}
