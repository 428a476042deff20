import Foundation

/// Answers messages of the compiler.
struct Plugin {
  /// The version of the protocol from which on the compiler sends all that the macros need.
  private static let protocolVersion = 7
  private var models = ModelCache()

  /// Returns the answer to a message.
  mutating func answer(_ message: Data) -> PluginMessage {
    do {
      switch try JSONDecoder().decode(HostMessage.self, from: message) {
      case .getCapability:
        return PluginMessage(
          getCapabilityResult: .init(capability: .init(protocolVersion: Self.protocolVersion, features: [])))
      case .expandAttachedMacro(let expansion): return PluginMessage(expandMacroResult: expand(expansion))
      case .expandFreestandingMacro(let expansion):
        return .failure(expansion.syntax, "KVMacros has no macro \"\(expansion.macro.typeName)\" that stands by itself")
      case .loadPluginLibrary:
        return PluginMessage(loadPluginLibraryResult: .init(loaded: false, diagnostics: []))
      case .unknown: return .failure(nil, "KVMacros does not know this kind of message of the compiler")
      }
    } catch {
      return .failure(nil, "KVMacros could not read a message of the compiler: \(error)")
    }
  }

  private mutating func expand(_ expansion: HostMessage.AttachedExpansion) -> PluginMessage.Expansion {
    switch (expansion.macro.typeName, expansion.macroRole) {
    case ("KVModel", _) where models.model(of: expansion).isRepeated(expansion.attributeSyntax):
      .init(
        expandedSource: "",
        diagnostics: expansion.macroRole == "member" ? [models.model(of: expansion).repetitionError(expansion)] : [])
    case ("KVModel", "memberAttribute"): models.model(of: expansion).attribute(for: expansion.declSyntax)
    case ("KVModel", "member"): models.model(of: expansion).members(expansion)
    case ("KVModel", "extension"): models.model(of: expansion).conformance(expansion)
    case ("KVStored", "accessor"): StoredProperty(expansion).accessors()
    case ("KVStored", "peer"): StoredProperty(expansion).storage()
    case ("KVKey", "peer"), ("KVIgnored", "peer"): MemberAttribute(expansion).check()
    default:
      .init(
        expandedSource: nil,
        diagnostics: [
          expansion.attributeSyntax.error(
            "KVMacros has no macro \"\(expansion.macro.typeName)\" for the role \"\(expansion.macroRole)\"")
        ])
    }
  }
}

extension PluginMessage {
  /// The answer to what cannot be done: an expansion with an error.
  fileprivate static func failure(_ syntax: HostMessage.Syntax?, _ message: String) -> PluginMessage {
    let location = syntax ?? HostMessage.Syntax(source: "", location: .init(fileName: "", offset: 0))
    return PluginMessage(expandMacroResult: .init(expandedSource: nil, diagnostics: [location.error(message)]))
  }
}
