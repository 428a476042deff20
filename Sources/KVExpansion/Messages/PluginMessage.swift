/// An answer to the compiler: an object with one member, whose name is the kind of the answer.
struct PluginMessage: Encodable, Equatable {
  struct CapabilityResult: Encodable, Equatable {
    struct Capability: Encodable, Equatable {
      let protocolVersion: Int
      let features: [String]
    }

    let capability: Capability
  }

  struct Expansion: Encodable, Equatable {
    /// Nil if the macro cannot be expanded.
    let expandedSource: String?
    let diagnostics: [Diagnostic]
  }

  struct LibraryResult: Encodable, Equatable {
    let loaded: Bool
    let diagnostics: [Diagnostic]
  }

  var getCapabilityResult: CapabilityResult?
  var expandMacroResult: Expansion?
  var loadPluginLibraryResult: LibraryResult?
}
