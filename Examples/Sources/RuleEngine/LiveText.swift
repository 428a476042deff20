import KVBinding

/// A rendered template that follows its model.
@MainActor
@KVModel final class LiveText: KVObject {
  private(set) var text = ""
  private let template: Template

  /// Renders a template, and again whenever the value of one of its paths changes; in a scope, at its end.
  ///
  /// - Throws: `KVError` if a path cannot be read or observed.
  init(_ template: Template, of model: some KVObservable) throws {
    self.template = template
    super.init()
    text = try template.text(of: model)
    let render = { [weak model] (live: LiveText, _: KVChange) in
      if let model { live.render(model) }
    }
    try template.forEachPath { path in
      try model.observe(path, options: [.coalesced], owner: self, handler: render)
    } inSections: { collection, path in
      try model.observeElements(of: collection, path, options: [.coalesced], owner: self, handler: render)
    }
  }

  private func render(_ model: Any) {
    guard let new = try? template.text(of: model), new != text else { return }
    text = new
  }
}
