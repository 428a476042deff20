import Foundation

/// All faults of a file of definitions, or of a set of bindings that could not be made (DEF.3).
///
/// ```swift
/// do { set = try KVBindingSet(contentsOf: url, owner: controller) } catch { print(error) }
/// // Player.json has 2 faults:
/// // - line 4, binding 1: unknown entry "dirction". Did you mean "direction"? Known entries: …
/// // - line 9, binding 3 "volume": the key "volume" is that of binding 2 already. …
/// ```
public struct KVBindingFaults: Error, Sendable, Hashable {
  /// The faults, in the order of the file; never empty.
  public let faults: [KVBindingFault]
  /// The name of the file, if there is one.
  package let file: String?

  init(_ faults: [KVBindingFault], file: String? = nil) {
    self.faults = faults
    self.file = file
  }

  init(_ fault: KVBindingFault, file: String? = nil) { self.init([fault], file: file) }

  /// Returns the faults as those of a definition.
  func of(index: Int?, key: String?) -> [KVBindingFault] {
    faults.map { fault in
      var fault = fault
      (fault.index, fault.key) = (index, key)
      return fault
    }
  }

  /// Returns the same faults of a file.
  func of(_ file: String) -> KVBindingFaults { KVBindingFaults(faults, file: file) }
}

extension KVBindingFaults: CustomStringConvertible {
  /// All faults, each on a line; a single one on the line of the file.
  public var description: String {
    let subject = file ?? "the bindings"
    if faults.count == 1 { return "\(file.map { "\($0): " } ?? "")\(faults[0])" }
    let lines = faults.map { "- \($0)" }.joined(separator: "\n")
    return "\(subject) \(file == nil ? "have" : "has") \(faults.count) faults:\n\(lines)"
  }
}

extension KVBindingFaults: LocalizedError {
  /// The sentences of all faults, which `localizedDescription` returns.
  public var errorDescription: String? { description }
}
