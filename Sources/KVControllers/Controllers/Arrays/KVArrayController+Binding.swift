import KVBinding
import KVCore

extension KVArrayController {
  /// Binds the content to a path of a model, whose array is edited by index from then on, and vice versa (CTR.14).
  ///
  /// ```swift
  /// try tracks.bindContent(
  ///   to: "selection.tracks", of: albums, forMultipleSelection: "selection.@distinctUnionOfArrays.tracks")
  /// ```
  ///
  /// The binding is two-way if the path can be set and takes an array, and one-way otherwise; objects can then neither be
  /// added nor removed (CTR.5). A marker or nil is no content. If the model is deallocated, the content stays (BND.8).
  ///
  /// - Parameters:
  ///   - path: The path from the model; it may lead through the selection of another controller.
  ///   - model: The model, which is not retained.
  ///   - multiplePath: The path that is used instead while the first one yields the marker for multiple values, one-way
  ///     (CTR.15); nil for none.
  ///   - selectsAll: Whether all objects are selected whenever the content is set as a whole (CTR.15).
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The binding, which ends with the controller or the model. A former one of the content is cancelled. With
  ///   `multiplePath`, another binding replaces it whenever the other path is used.
  /// - Throws: ``KVError``, as binding does; `typeMismatch` if the model has other elements; the error of a commit (EDT.4).
  ///   A former binding goes on then.
  @discardableResult
  public final func bindContent(
    to path: some KVKeyPathConvertible, of model: some KVObservable,
    forMultipleSelection multiplePath: KVKeyPath? = nil, selectsAll: Bool = false, file: StaticString = #fileID,
    line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    let path = try path.keyPath()
    completeDelivery()
    try commitEditing()
    return try update { () throws(KVError) in
      let before = selectsAllOfContent
      selectsAllOfContent = selectsAll
      do throws(KVError) {
        // It precedes the binding, which is cancelled before it reads the marker.
        let observation = try multiplePath.map { multiplePath throws(KVError) in
          try observePath(path, multiplePath, of: model, file, line)
        }
        let isMultiple = multiplePath != nil && path.isMultiple(of: model)
        let binding = try bindContent(to: isMultiple ? multiplePath ?? path : path, of: model, file, line)
        contentPathObservation?.cancel()
        contentPathObservation = observation
        return binding
      } catch {
        selectsAllOfContent = before
        throw error
      }
    }
  }

  /// Replaces the binding of the content, unless the new one fails.
  private func bindContent(
    to path: KVKeyPath, of model: some KVObservable, _ file: StaticString, _ line: UInt
  ) throws(KVError) -> KVPathBinding {
    let acceptsContent = try acceptsContent(path, of: model, elements: Element.self)
    return try replaceContentBinding(by: path, of: model, acceptsContent: acceptsContent, file, line)
  }

  /// Observes whether a path yields the marker for multiple values, and binds the content to the other path then.
  private func observePath(
    _ path: KVKeyPath, _ multiplePath: KVKeyPath, of model: some KVObservable, _ file: StaticString, _ line: UInt
  ) throws(KVError) -> KVObservation {
    var isMultiple = path.isMultiple(of: model)
    return try model.observe(path, options: [], file: file, line: line) { [weak self, weak model] _ in
      guard let self, let model, isMultiple != path.isMultiple(of: model) else { return }
      isMultiple.toggle()
      do throws(KVError) {
        _ = try bindContent(to: isMultiple ? multiplePath : path, of: model, file, line)
      } catch {
        KVDiagnostics.report(.error, .binding, path, self) { "the content cannot be bound: \(error)" }
      }
    }
  }
}

extension KVKeyPath {
  /// Returns whether the path yields the marker for multiple values.
  fileprivate func isMultiple(of model: any KVObservable) -> Bool {
    guard let marker = (try? model.value(forKeyPath: self)) as? KVSelectionMarker else { return false }
    return marker == .multipleValues
  }
}
