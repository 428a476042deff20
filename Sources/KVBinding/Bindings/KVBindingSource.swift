import KVCore

/// One of several sources of a binding.
///
/// It may be used for as many bindings as is wanted.
public struct KVBindingSource {
  private weak var object: AnyObject?
  private let path: KVKeyPath
  private let typeName: String

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - object: The object, a weak reference.
  ///   - path: The path, or its text.
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if a text is none.
  public init(_ object: some KVObservable, _ path: some KVKeyPathConvertible) throws(KVError) {
    self.object = object
    self.path = try path.keyPath()
    typeName = "\(type(of: object))"
  }

  /// Returns an end for one binding, which is its own: an end knows for whom it listens.
  ///
  /// - Throws: ``KVError`` with the code `unresolvedPath` if the object is gone.
  func makeEndpoint() throws(KVError) -> BindingEndpoint {
    if let object { return BindingEndpoint(object, path) }
    throw KVError(
      .unresolvedPath,
      "the source \(typeName).\(path) is gone; keep the object alive until it is bound, or make the source later.",
      keyPath: path.description, rootType: typeName)
  }
}
