import Foundation
import KVCore

/// The value that a key path reads of a document, found while the document is read.
///
/// ```swift
/// let file = try FileHandle(forReadingFrom: url)
/// let excerpt = try KVDocumentExcerpt(of: "users[3].name") { try file.read(upToCount: 1 << 18) }
/// let name = try excerpt.value()
/// ```
///
/// Of a JSON document, whatever the path does not lead to is checked and not built, so that memory depends on what the
/// path reads, not on the length of the document (DOC.4). A property list is read as a whole.
public struct KVDocumentExcerpt {
  /// The key path.
  public let keyPath: KVKeyPath
  /// The format of the document.
  public let format: KVDocument.Format
  /// How many components of the key path were followed while the document was read: members of objects, and elements of
  /// arrays, up to the first null, collection, operator or value that the next component does not fit.
  public let depth: Int
  /// The value to which these components lead.
  ///
  /// Of objects in it, only what the other components read is there.
  public let root: Any?

  private let path: JSONExcerptPath

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - keyPath: The key path.
  ///   - source: Returns the next chunk of the document; nil or empty data at its end.
  /// - Throws: ``KVError``: as ``KVDocument/init(data:format:elementLimit:)``, whatever the key path leads to; `custom`
  ///   with the error of `source` as its cause; `unsupported` for a key path with a policy.
  /// - Complexity: O(*n*) in the length of the document.
  public init(of keyPath: KVKeyPath, from source: @escaping () throws -> Data?) throws(KVError) {
    // What the path leads over is read by itself, not by a policy.
    if keyPath.isLimited {
      throw KVError(
        .unsupported, "an excerpt does not read by a key path with a policy: read the KVDocument, and the path of it.",
        keyPath: keyPath.description)
    }
    self.keyPath = keyPath
    var path = JSONExcerptPath(keyPath)
    // A terminal would wait for another end.
    var isComplete = false
    let source: () throws -> Data? = {
      if isComplete { return nil }
      let chunk = try source()
      isComplete = chunk?.isEmpty ?? true
      return chunk
    }
    let start = try Self.start(source)
    format = KVDocument.Format(of: start)
    if format == .json {
      root = try Self.json(&path, start, source)
    } else {
      var data = start
      while let chunk = try Self.chunk(source) { data.append(chunk) }
      root = try PropertyListCoding.value(from: data)
    }
    depth = path.reached
    self.path = path
  }

  /// Returns the value of the key path, as `KVC` reads it of the document.
  ///
  /// - Returns: The value.
  /// - Throws: ``KVError``: what the rest of the key path meets.
  /// - Complexity: As that of reading the rest of the key path.
  public func value() throws(KVError) -> Any? {
    guard depth < keyPath.count, let root else { return root }
    return try KVC.value(of: root, forKeyPath: try KVKeyPath(components: Array(keyPath.components[depth...])))
  }

  /// Returns the names of the members among which that of a component was not found.
  ///
  /// - Parameter index: The index of a component.
  /// - Returns: The names, up to 10,000 of them, in no order; none if the member was found, and for property lists.
  public func names(beside index: Int) -> Set<String> {
    path.names.indices.contains(index) ? path.names[index] ?? [] : []
  }

  // MARK: Reading

  /// Reads as much as tells the format.
  private static func start(_ source: () throws -> Data?) throws(KVError) -> Data {
    var start = Data()
    while start.count < 512, let chunk = try chunk(source) { start.append(chunk) }
    return start
  }

  private static func chunk(_ source: () throws -> Data?) throws(KVError) -> Data? {
    do { return try source().flatMap { $0.isEmpty ? nil : $0 } } catch { throw unreadable(error) }
  }

  private static func unreadable(_ error: any Error) -> KVError {
    KVError(.custom, "the document cannot be read to its end: \(error.sentence).", underlying: error)
  }

  private static func json(
    _ path: inout JSONExcerptPath, _ start: Data, _ source: @escaping () throws -> Data?
  ) throws(KVError) -> Any? {
    var unread: Data? = start
    var reader = JSONReader {
      guard let start = unread else { return try source() }
      unread = nil
      return start
    }
    var (value, fault): (Any?, DocumentFault?)
    do throws(DocumentFault) {
      value = try reader.document { (reader) throws(DocumentFault) in try reader.follow(&path, from: 0, 0) }
    } catch {
      fault = error
    }
    if let failure = reader.failure { throw unreadable(failure) }
    if let fault { throw fault.readingError(of: "JSON") }
    return value
  }
}
