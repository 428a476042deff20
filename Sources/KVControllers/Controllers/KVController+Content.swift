import KVBinding
import KVCore

// The binding of the content, and what it permits.
extension KVController {
  /// Replaces the binding of the content, unless the new one fails (CTR.14).
  ///
  /// - Parameters:
  ///   - path: The path from the model.
  ///   - model: The model.
  ///   - acceptsContent: Whether the path takes the content if it can be set; the binding is one-way otherwise.
  /// - Throws: ``KVError``, as binding does. The former binding goes on then.
  final func replaceContentBinding(
    by path: KVKeyPath, of model: some KVObservable, acceptsContent: Bool, _ file: StaticString, _ line: UInt
  ) throws(KVError) -> KVPathBinding {
    let isWritable = acceptsContent && !path.hasOperator && (try? KVC.checkSettable(path, of: model)) != nil
    var options = KVBindingOptions(isWritable ? .twoWay : .oneWay)
    options.showsNilIfUnresolved = true
    // What the new model sets is delivered when the former one is not bound any more.
    let binding = try update { () throws(KVError) in
      let binding = try bind("content", to: path, of: model, options: options, file: file, line: line)
      let previous = contentBinding
      contentBinding = binding
      previous?.cancel()
      setContentReadOnly(!isWritable)
      return binding
    }
    _ = try binding.observe("state", options: [], owner: self) { [weak binding] controller, _ in
      guard let binding, binding === controller.contentBinding else { return }
      if binding.isActive { controller.checkContentIsSettable(binding) } else { controller.contentBindingDidEnd() }
    }
    return binding
  }

  /// Lets the content be read-only if the path of its binding cannot be set, which shows when it is resolved (CTR.14).
  private func checkContentIsSettable(_ binding: KVPathBinding) {
    guard binding.state == .active, let source = binding.core?.source, let model = source.object,
      (try? KVC.checkSettable(source.path, of: model)) == nil
    else { return }
    setContentReadOnly(true)
  }

  /// Returns whether a path that can be set takes an array; false if it has a single element (CTR.14).
  ///
  /// - Throws: ``KVError`` (`typeMismatch`) if it has a collection of other elements.
  final func acceptsContent<Element>(
    _ path: KVKeyPath, of model: any KVObservable, elements: Element.Type
  ) throws(KVError) -> Bool {
    do throws(KVError) { _ = try KVC.coerced([Element](), forKeyPath: path, of: model, readBy: nil) } catch {
      if error.code == .typeMismatch { return false }
    }
    guard let type = path.leaf(of: model)?.accessor.object.value.type, !DynamicCollection.canBe(Element.self, in: type)
    else {
      return true
    }
    throw KVError(
      .typeMismatch,
      """
      cannot bind the content of \(Swift.type(of: self)) to "\(path)" of \(Swift.type(of: model)): it is \(type), whose elements are not \
      \(Element.self). Use a controller for its elements, or bind to another path.
      """, keyPath: path.description, rootType: "\(Swift.type(of: model))")
  }

  /// Whether a binding of the content sets it now: what the model does cannot be prevented (EDT.4).
  final var isSetByModel: Bool { BindingCore.endpointBeingSet(of: self)?.side == .target }

  /// The controller, or its selection, to which the content is bound; nil for another model.
  final var contentHost: KVController? {
    let source = contentBinding?.core?.source.object
    let host = source as? KVController ?? (source as? KVSelection)?.controller
    return host === self ? nil : host
  }

  /// Checks that the content may be changed now, and that a key allows it (CTR.5).
  ///
  /// - Throws: ``KVError`` (`unsupported`) with the reason.
  final func check(_ isAllowed: Bool, _ action: String) throws(KVError) {
    let marker = contentBinding?.marker
    let isUnresolved = contentBinding?.state == .unresolved
    if isAllowed, marker == nil, !isUnresolved { return }
    let reason =
      !isEditable
      ? "isEditable is false"
      : isContentReadOnly
        ? "its content is bound one-way"
        : isUnresolved
          ? "the path of its content leads to nil"
          : marker.map { "the path of its content yields the marker \($0)" } ?? absence
    throw KVError(.unsupported, "\(type(of: self)) cannot \(action): \(reason).", rootType: "\(type(of: self))")
  }
}
