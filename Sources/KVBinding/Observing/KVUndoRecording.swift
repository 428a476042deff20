import KVCore

/// The undo recording that a library's document uses; `KVUndoManager` of KVControllers conforms to it.
///
/// ```swift
/// let undo = KVUndoManager()
/// let document = try KVBindingDocument(contentsOf: url, undoManager: undo)
/// ```
///
/// So a program that never undoes does not pay for undo (UND.15).
public protocol KVUndoRecording: AnyObject {
  /// Records the edits of a to-many key, and of the keys of its elements.
  ///
  /// - Parameters:
  ///   - key: The key of the collection.
  ///   - object: The object whose key it is.
  ///   - keys: The keys of the elements; nil for all that can be set.
  ///   - file: The file in which it is called.
  ///   - line: The line in which it is called.
  /// - Throws: ``KVError`` if a key cannot be recorded; nothing is recorded then.
  func recordElements(
    of key: String, in object: some KVObservable, keys: [String]?, file: StaticString, line: UInt
  ) throws(KVError)

  /// Runs a function whose changes are no step.
  ///
  /// - Parameter body: The function.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  func withoutRecording<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result

  /// Forgets all steps: what was recorded is of a file that is closed.
  func removeAll()

  /// Marks the state as that of the file.
  func markSaved()
}
