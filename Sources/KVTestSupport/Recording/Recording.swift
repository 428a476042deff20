import KVCore

/// The recorder of an expectation while its body runs, or the error of its creation, which is reported after the body.
struct Recording<Object: KVObservable> {
  let object: Object
  let location: KVTestLocation
  private let result: Result<KVChangeRecorder, KVError>
  /// The values of the key paths at the beginning.
  private let before: [(path: KVKeyPath, value: Any?)]

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - options: The contents and times of the records.
  ///   - location: The location of the expectation.
  ///   - isReading: Whether the key paths are read now, which another thread may be writing.
  ///   - paths: The key paths; none for all keys that can notify.
  init(
    of object: Object, _ options: KVObservingOptions, at location: KVTestLocation, isReading: Bool = true,
    _ paths: () throws(KVError) -> [KVKeyPath]
  ) {
    self.object = object
    self.location = location
    do throws(KVError) {
      let recorder = try KVChangeRecorder(object, paths: try paths(), options: options, at: location)
      result = .success(recorder)
      before = isReading ? recorder.keyPaths.map { ($0, pathValue(of: object, at: $0)) } : []
    } catch {
      result = .failure(error)
      before = []
    }
  }

  /// The recorder; `nil` if it could not be created.
  var recorder: KVChangeRecorder? { try? result.get() }

  /// Returns the recorder; reports a failure and returns `nil` if it could not be created.
  func finish() -> KVChangeRecorder? {
    do throws(KVError) { return try result.get() } catch {
      fail("\(type(of: object)) cannot be observed: \(error)", at: location)
      return nil
    }
  }

  /// Returns the value of a key path at the beginning.
  func valueBefore(_ path: KVKeyPath) -> Any? { before.first { $0.path == path }?.value ?? nil }

  /// Returns the key paths that have changed without a notification, which is the most frequent mistake.
  ///
  /// - Parameter log: The records.
  /// - Returns: One line per key path.
  func unnotifiedChanges(in log: KVChangeLog) -> [String] {
    before.compactMap { path, old in
      let new = pathValue(of: object, at: path)
      if Similarity.areAlike(old, new) || !Similarity.isComparable(new) || log.contains(where: { $0.keyPath == path }) {
        return nil
      }
      return """
        \(path) went from \(shown(old)) to \(shown(new)), and no observer was notified: make the property a @KVProperty, or declare \
        what it depends on with affected(by:).
        """
    }
  }
}
