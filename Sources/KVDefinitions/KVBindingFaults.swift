import Foundation
import KVBinding
import KVCore

/// The faults of a file of definitions, or of a set of bindings that could not be made (DEF.2, DEF.3).
///
/// ```swift
/// do { set = try KVBindingSet(contentsOf: url, owner: controller) } catch { print(error) }
/// // Player.json has 2 faults:
/// // - line 4, binding 1: unknown entry "dirction". Did you mean "direction"? Known entries: …
/// // - line 9, binding 3 "volume": the key "volume" is that of binding 2 already. …
/// ```
public struct KVBindingFaults: Error, Sendable, Hashable {
  /// The faults, in the order of the file; never empty.
  ///
  /// Of more than 100, these are the first 100, and a last one with the code `limitExceeded` that says so.
  public let faults: [KVBindingFault]
  /// The name of the file, if there is one.
  package let file: String?

  init(_ faults: [KVBindingFault], file: String? = nil) {
    self.faults = Self.first(of: faults)
    self.file = file
  }

  /// Returns the first ones of many faults, and one that says that there are more.
  static func first(of faults: [KVBindingFault]) -> [KVBindingFault] {
    guard faults.count > Limits.faults else { return faults }
    let more = KVBindingFault(
      .limitExceeded, "there are more faults: these are the first \(Limits.faults). Correct them, and try again.")
    return faults.prefix(Limits.faults) + [more]
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
    let count = faults.count > Limits.faults ? "more than \(Limits.faults)" : "\(faults.count)"
    return "\(subject) \(file == nil ? "have" : "has") \(count) faults:\n\(lines)"
  }
}

extension KVBindingFaults: LocalizedError {
  /// The sentences of all faults, which `localizedDescription` returns.
  public var errorDescription: String? { description }
}
