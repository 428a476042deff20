import KVBinding
import KVCore
import KVDocuments

/// A fault of a definition, or of its file.
public struct KVBindingFault: Sendable, Hashable, LinkedWithArchive {
  /// The code of the fault.
  public let code: KVError.Code
  /// One or two sentences: what is wrong, and how to fix it.
  public let message: String
  /// The index of the definition, from zero; nil for a fault of the whole file.
  public internal(set) var index: Int?
  /// The key of that definition, if it has one.
  public internal(set) var key: String?
  /// The name of the entry in the file.
  public let entry: String?
  /// The line in a JSON document, from one; nil for other documents.
  public internal(set) var line: Int?
  /// The known name that is nearest to the unknown one, if there is one.
  public let suggestion: String?
  /// The error of the path, the transformer or the binding.
  package let underlying: KVError?

  init(
    _ code: KVError.Code, _ message: String, index: Int? = nil, key: String? = nil, entry: String? = nil,
    line: Int? = nil, suggestion: String? = nil, underlying: KVError? = nil
  ) {
    self.code = code
    self.message = message
    self.index = index
    self.key = key
    self.entry = entry
    self.line = line
    self.suggestion = suggestion ?? underlying?.suggestion
    self.underlying = underlying
  }

  /// Returns the fault of an unknown name, whose message begins with a subject and lists the known names of its kind.
  static func unknown(
    _ name: String, _ code: KVError.Code, _ subject: String, _ kind: String, _ known: [String], entry: String
  ) -> KVBindingFault {
    let suggestion = Suggestion.nearest(to: name, among: known)
    return KVBindingFault(
      code, "\(subject).\(Suggestion.question(suggestion)) Known \(kind): \(Failure.list(known)).", entry: entry,
      suggestion: suggestion)
  }

  /// Returns whether two faults have the same location and message.
  ///
  /// Underlying errors are not compared.
  ///
  /// - Parameters:
  ///   - left: A fault.
  ///   - right: Another.
  public static func == (left: KVBindingFault, right: KVBindingFault) -> Bool {
    (left.code, left.entry, left.key, left.description) == (right.code, right.entry, right.key, right.description)
  }

  /// Hashes the properties that ``==(_:_:)`` compares.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension KVBindingFault: CustomStringConvertible {
  /// The location and the message: `line 4, binding 2 "volume": unknown entry …`.
  ///
  /// Bindings are counted from one here.
  public var description: String { location.isEmpty ? message : "\(location): \(message)" }

  private var location: String {
    var parts: [String] = []
    if let line { parts.append("line \(line)") }
    if let index { parts.append("binding \(index + 1)" + (key.map { " \"\($0)\"" } ?? "")) }
    return parts.joined(separator: ", ")
  }
}
