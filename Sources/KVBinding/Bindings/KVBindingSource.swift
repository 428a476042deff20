import KVCore

/// One of several sources of a binding.
///
/// A source can be used for any number of bindings.
public struct KVBindingSource {
  private let object: WeakReference<AnyObject>
  private let path: KVKeyPath
  private let typeName: String

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - object: The object, which is referenced weakly.
  ///   - path: The key path, or its text.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public init(_ object: some KVObservable, _ path: some KVKeyPathConvertible) throws(KVError) {
    self.object = WeakReference(object)
    self.path = try path.keyPath()
    typeName = "\(type(of: object))"
  }

  /// Creates the endpoint for one binding; an endpoint has the registration of that binding.
  ///
  /// - Throws: ``KVError``: `unresolvedPath` if the object has been deallocated; those of the policy of the options.
  func makeEndpoint(_ options: KVBindingOptions) throws(KVError) -> BindingEndpoint {
    if let object = object.object { return BindingEndpoint(object, try options.limited(path)) }
    throw KVError(
      .unresolvedPath,
      "the source \(typeName).\(path) is gone; keep the object alive until it is bound, or make the source later.",
      keyPath: path.description, rootType: typeName)
  }
}
