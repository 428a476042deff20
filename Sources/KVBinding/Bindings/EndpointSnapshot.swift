import KVCore

/// The value of an endpoint before anything was bound, which a group of bindings restores if one of them fails.
package struct EndpointSnapshot {
  private let endpoint: BindingEndpoint
  private let reading: BindingEndpoint.Reading?

  package init(_ endpoint: BindingEndpoint) {
    self.endpoint = endpoint
    reading = try? endpoint.read()
  }

  /// Restores the value, where that is possible and needed.
  package func restore() {
    guard let reading, let now = try? endpoint.read() else { return }
    switch (reading, now) {
    case (.null, .value): _ = try? endpoint.set(nil)
    case (.value(let old), .null): _ = try? endpoint.set(old)
    case (.value(let old), .value(let new)) where !KVC.areEqual(old, new): _ = try? endpoint.set(old)
    default: break
    }
  }
}
