import KVCore

extension BindingEndpoint {
  /// Throws for a source whose path leads through a control, which notifies by events only (CTL.1).
  ///
  /// - Complexity: O(*n*) in the components.
  package func refuseControls() throws(KVError) {
    guard let current else { return }
    let path = current.path
    var value: Any? = current.object
    let components = path.components
    var index = 0
    while index < components.count - 1, let owner = value {
      // An operator is read with all that stands after it.
      let end = components[index].isOperator ? components.count - 1 : index + 1
      guard let step = try? path.part(Array(components[index..<end])) else { return }
      value = (try? Reader(step).value(of: owner, from: 0)) ?? nil
      index = end
      guard let value, let control = objectCast(value, to: (any KVControl).self), !(control is any KVObservable) else {
        continue
      }
      let (name, before) = ("\(type(of: control))", path.prefix(index)?.description ?? "")
      throw KVError(
        .notObservable,
        """
        \(name) at "\(before)" is a control, which notifies by events, so no binding can follow "\(path)" from \
        \(typeName). Bind the control to the model instead: control.bind("\(path.last)", to: "…", of: model, options: \
        .toSource).
        """, keyPath: path.description, component: path.last.description, rootType: typeName)
    }
  }
}
