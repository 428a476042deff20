/// A message of the compiler: an object with one member, whose name is the kind of the message.
///
/// Members of a message that a newer compiler adds are ignored.
enum HostMessage: Decodable {
  /// Asks what the plug-in can do.
  case getCapability
  /// Asks for the expansion of a macro that is attached to a declaration.
  case expandAttachedMacro(AttachedExpansion)
  /// Asks for the expansion of a macro that stands by itself.
  case expandFreestandingMacro(FreestandingExpansion)
  /// Asks for loading further macros.
  case loadPluginLibrary
  /// A message of a kind that only newer compilers send.
  case unknown

  /// The macro that is to be expanded.
  struct Macro: Decodable {
    let moduleName: String
    /// The type that `#externalMacro` names.
    let typeName: String
    /// The name that is used in the source.
    let name: String
  }

  /// A piece of the user's source.
  struct Syntax: Decodable {
    struct Location: Decodable {
      let fileName: String
      /// The place of the piece in the file, in UTF-8.
      let offset: Int
    }

    let source: String
    let location: Location
  }

  struct AttachedExpansion: Decodable {
    let macro: Macro
    let macroRole: String
    let attributeSyntax: Syntax
    let declSyntax: Syntax
    let parentDeclSyntax: Syntax?
    let extendedTypeSyntax: Syntax?
    let conformanceListSyntax: Syntax?
    let lexicalContext: [Syntax]?
  }

  struct FreestandingExpansion: Decodable {
    let macro: Macro
    let syntax: Syntax
  }

  private enum Kind: CodingKey {
    case getCapability, expandAttachedMacro, expandFreestandingMacro, loadPluginLibrary
  }

  init(from decoder: any Decoder) throws {
    let message = try decoder.container(keyedBy: Kind.self)
    self =
      if message.contains(.getCapability) {
        .getCapability
      } else if message.contains(.expandAttachedMacro) {
        .expandAttachedMacro(try message.decode(AttachedExpansion.self, forKey: .expandAttachedMacro))
      } else if message.contains(.expandFreestandingMacro) {
        .expandFreestandingMacro(try message.decode(FreestandingExpansion.self, forKey: .expandFreestandingMacro))
      } else if message.contains(.loadPluginLibrary) {
        .loadPluginLibrary
      } else {
        .unknown
      }
  }
}
