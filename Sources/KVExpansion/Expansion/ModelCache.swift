/// The model that was read last: the compiler asks for each of its properties.
struct ModelCache {
  private var last: Model?

  /// Returns the model that an expansion is about.
  mutating func model(of expansion: HostMessage.AttachedExpansion) -> Model {
    let syntax = expansion.parentDeclSyntax ?? expansion.declSyntax
    if let last, last.syntax.source == syntax.source, last.syntax.location.offset == syntax.location.offset {
      return last
    }
    let model = Model(syntax)
    last = model
    return model
  }
}
