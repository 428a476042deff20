import KVCore

/// What is recorded while the body of an expectation runs; or why it cannot be, which is told when the body is through.
struct Recording<Object: KVObservable> {
  let object: Object
  let location: KVTestLocation
  private let result: Result<KVChangeRecorder, KVError>
  /// What the paths held at the start.
  private let before: [(path: KVKeyPath, value: Any?)]

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - isReading: Whether the paths are read now; another thread may be writing them.
  ///   - paths: The paths; none for every key that can tell of its changes.
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

  /// The recorder; nil if there is none.
  var recorder: KVChangeRecorder? { try? result.get() }

  /// Returns the recorder; nil, and a failure, if there is none.
  func finish() -> KVChangeRecorder? {
    do throws(KVError) { return try result.get() } catch {
      fail("\(type(of: object)) cannot be observed: \(error)", at: location)
      return nil
    }
  }

  /// What a path held at the start.
  func valueBefore(_ path: KVKeyPath) -> Any? { before.first { $0.path == path }?.value ?? nil }

  /// Which paths have changed and told nobody, in a line each: the mistake that is made most often.
  ///
  /// - Parameter log: What was told.
  func silentChanges(in log: KVChangeLog) -> [String] {
    before.compactMap { path, old in
      let new = pathValue(of: object, at: path)
      if Likeness.areAlike(old, new) || !Likeness.isComparable(new) || log.contains(where: { $0.keyPath == path }) {
        return nil
      }
      return """
        \(path) went from \(shown(old)) to \(shown(new)), and nobody was told: make the property a @KVProperty, or declare \
        what it depends on with affected(by:).
        """
    }
  }
}
