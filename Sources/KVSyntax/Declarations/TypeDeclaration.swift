/// The declaration of a type, as far as the scanner reads it.
package struct TypeDeclaration: Sendable {
  package let tokens: TokenList
  /// The word that introduces it: `class`, `struct`, `enum`, `actor`, `protocol`, `extension`; another declaration's
  /// word (`var`, `func`) if the source declares no type; empty if it declares nothing.
  package let introducer: String
  /// The name, without backticks; of an extension, the extended type.
  package let name: String
  package let attributes: [Attribute]
  package let modifiers: [String]
  /// Whether it has generic parameters of its own.
  package let isGeneric: Bool
  /// The types behind the colon.
  package let inheritedTypes: [String]
  /// The place of the first of them in the source, in UTF-8; that behind the name if there are none.
  package let inheritedStart: Int
  package let members: [TypeMember]
  /// The place of the introducing word in the source, in UTF-8.
  package let introducerRange: Range<Int>
  /// The place behind the name and its generic parameters in the source, in UTF-8.
  package let nameEnd: Int

  /// Reads the first declaration of a source.
  ///
  /// - Parameter source: The declaration, as a macro is given it; any text is accepted.
  /// - Complexity: O(*n*) in the length of the source.
  package init(_ source: String) {
    self = DeclarationScanner(TokenList(source)).firstDeclaration()
  }

  init(
    tokens: TokenList, introducer: String, name: String, attributes: [Attribute], modifiers: [String],
    isGeneric: Bool, inheritedTypes: [String], members: [TypeMember], introducerRange: Range<Int>,
    nameEnd: Int, inheritedStart: Int
  ) {
    self.tokens = tokens
    self.introducer = introducer
    self.name = name
    self.attributes = attributes
    self.modifiers = modifiers
    self.isGeneric = isGeneric
    self.inheritedTypes = inheritedTypes
    self.members = members
    self.introducerRange = introducerRange
    self.nameEnd = nameEnd
    self.inheritedStart = inheritedStart
  }

  /// The properties that the declaration lists, also those behind conditions.
  package var properties: [Property] {
    members.compactMap { if case .property(let property) = $0 { property } else { nil } }
  }
}
