import KVBinding
import KVCore

extension KVObjectController {
  /// Binds the content to a path of a model, which has the content from then on (CTR.14).
  ///
  /// ```swift
  /// try form.bindContent(to: "owner", of: account)
  /// ```
  ///
  /// The binding is two-way if the path can be set, and one-way otherwise; objects can then neither be added nor removed.
  /// A marker or nil is no content. If the model is deallocated, the content stays (BND.8).
  ///
  /// - Parameters:
  ///   - path: The path from the model; it may lead through the selection of another controller.
  ///   - model: The model, which is not retained.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The binding, which ends with the controller or the model. A former one of the content is cancelled.
  /// - Throws: ``KVError``, as binding does. A former binding goes on then.
  @discardableResult
  public final func bindContent(
    to path: some KVKeyPathConvertible, of model: some KVObservable, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    try replaceContentBinding(by: try path.keyPath(), of: model, acceptsContent: true, file, line)
  }
}
