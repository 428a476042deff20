import KVCore

/// The endpoint of a binding at an object that it retains, since nothing else does.
// guard: immutable
final class RetainingEndpoint: BindingEndpoint, @unchecked Sendable {
  private let retained: AnyObject

  override init(_ object: AnyObject, _ path: KVKeyPath, typeName: String? = nil) {
    retained = object
    super.init(object, path, typeName: typeName)
  }
}
