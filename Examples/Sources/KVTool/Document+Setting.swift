import Foundation
import KVBinding
import KVDocuments

extension Document {
  /// Reads a document, whatever its form.
  init(_ data: Data, of source: DocumentSource) throws(ToolFailure) {
    do throws(KVError) {
      let document = try KVDocument(data: data)
      self.init(root: document.root, format: document.format)
    } catch {
      throw ToolFailure("cannot read \(source.name): \(error.message)")
    }
  }

  /// Returns a property list as XML, which a terminal can show; as it was, if it was binary and XML does not keep its values.
  func propertyList() throws(ToolFailure) -> Data {
    do throws(KVError) {
      if format == .binary, !Self.isKept(root) { return try KVDocument(root, format: .binary).data() }
      return try KVDocument(root, format: .xml).data()
    } catch {
      throw ToolFailure(error)
    }
  }

  /// Whether XML keeps a value: it has whole seconds of the years 1 to 9999, and no minus zero.
  private static func isKept(_ value: Any?) -> Bool {
    switch value {
    case let date as Date:
      let seconds = date.timeIntervalSinceReferenceDate
      return seconds == seconds.rounded() && (-63_113_904_000..<252_423_993_600).contains(seconds)
    case let number as Double where ValueKind(number) == .number: return number != 0 || number.sign == .plus
    case let dictionary as [String: Any]: return dictionary.values.allSatisfy { isKept($0) }
    case let array as [Any]: return array.allSatisfy { isKept($0) }
    default: return true
    }
  }

  /// Sets the value of a path whose last key may be new.
  mutating func set(_ value: Any, at path: KVKeyPath) throws(ToolFailure) {
    if format != .json, Self.holdsNull(value) {
      throw ToolFailure("the value cannot be set: a property list holds no null.")
    }
    guard var root else { throw ToolFailure("the document is null, and has no keys.") }
    // The keys on the way are checked first, so that a mistyped one is told with the nearest match.
    var container: Any? = root
    if let parent = path.parent { container = try DocumentPath(parent).value(in: root) }
    let location = path.parent.map { "\"\($0)\"" } ?? "the document"
    guard let container else { throw ToolFailure("\"\(path.last)\" cannot be set: \(location) is null.") }
    if case .key(let key) = path.last {
      var objects = DocumentPath.Objects()
      objects.collect(container)
      if let scalar = objects.scalar {
        throw ToolFailure("\"\(key)\" cannot be set: \(location) is or holds \(scalar), which has no keys.")
      }
    }
    do throws(KVError) { try KVC.setValue(value, forKeyPath: path, in: &root) } catch { throw ToolFailure(error) }
    self.root = root
  }

  private static func holdsNull(_ value: Any) -> Bool {
    switch value {
    case is KVDocument.Null: true
    case let dictionary as [String: Any]: dictionary.values.contains { holdsNull($0) }
    case is [Any?] where type(of: value) == [Any?].self: true  // an array is of optionals only if it holds a null
    case let array as [Any]: array.contains { holdsNull($0) }
    default: ValueKind(value) == .null
    }
  }
}
