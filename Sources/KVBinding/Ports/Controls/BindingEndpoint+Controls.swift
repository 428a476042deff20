import KVCore

extension BindingEndpoint {
  /// Throws for a source whose path leads through a control, which notifies by events only (CTL.1).
  func refuseControls() throws(KVError) {
    var prefix = path.parent
    while let ancestor = prefix {
      let value = object.flatMap { object in (try? Reader(ancestor).value(of: object, from: 0)) ?? nil }
      if let value, value is any KVControl, !(value is any KVObservable) {
        let name = "\(type(of: value))"
        throw KVError(
          .notObservable,
          """
          \(name) at "\(ancestor)" is a control, which notifies by events, so no binding can follow "\(path)" from \
          \(typeName). Bind the control to the model instead: control.bind("\(path.last)", to: "…", of: model, options: \
          .toSource).
          """, keyPath: path.description, component: path.last.description, rootType: typeName)
      }
      prefix = ancestor.parent
    }
  }
}
