import KVBinding
import KVCore

/// The inspection of a type: its keys, the values that they accept, and their violations.
final class ComplianceInspection {
  private(set) var given: [String: Any?]
  private let make: () throws -> any KeyValueCoding
  var keys: [ComplianceKey] = []
  /// For each key, a value that it has accepted and that differs from its initial value.
  var values: [String: Any?] = [:]
  /// Keys that read the same value each time, and whose values can be compared.
  var stableKeys: Set<String> = []
  /// Keys that read another property than declared, and keys of the same property; their notifications cannot be
  /// checked.
  var misdeclaredKeys: Set<String> = []
  /// Keys that are read-only by key, and that also keep their value in Swift.
  var constantKeys: Set<String> = []
  /// Changes of keys without a notification, caused by setting another key.
  var missedChanges: [MissedChange] = []
  private var violations: [KVComplianceViolation] = []

  /// Creates an inspection.
  ///
  /// - Parameters:
  ///   - values: The values to write, by key.
  ///   - make: Creates a sample.
  init(values: [String: Any?], _ make: @escaping () throws -> any KeyValueCoding) {
    given = values
    self.make = make
  }

  /// The error of creating a sample, distinct from the errors of keys.
  struct MissingSample: Error {
    let cause: any Error
  }

  /// Creates a new sample.
  func sample() throws -> ComplianceSample {
    do { return ComplianceSample(try make()) } catch { throw MissingSample(cause: error) }
  }

  func report(_ kind: KVComplianceViolation.Kind, _ key: String?, _ message: String) {
    violations.append(KVComplianceViolation(kind, key, message))
  }

  func has(_ kind: KVComplianceViolation.Kind, _ key: String) -> Bool {
    violations.contains { $0.kind == kind && $0.key == key }
  }

  /// Runs all checks.
  func run() throws {
    guard try findKeys() else { return }
    for key in keys {
      try inspect(key, checkValidator)
      try inspect(key, checkWriting)
      try inspect(key, checkStoredProperty)
    }
    findMistakenKeys()
    let isObservable = try sample().observable != nil
    for key in keys where isObservable && !misdeclaredKeys.contains(key.name) {
      try inspect(key, checkNotification)
      try inspect(key, checkNotificationInSwift)
    }
    if isObservable { reportUndeclaredDependencies() }
    for key in keys where isObservable && !misdeclaredKeys.contains(key.name) { try inspect(key, checkDependencies) }
    for key in keys where key.editsElements { try inspect(key, checkElements) }
    for key in keys where key.isUnlistedProperty { try inspect(key, checkUnlistedProperty) }
  }

  /// Runs a check of a key; a key that only fails sometimes is a violation.
  private func inspect(_ key: ComplianceKey, _ check: (ComplianceKey) throws -> Void) throws {
    do { try check(key) } catch let error as KVError {
      if has(.unreadable, key.name) { return }
      report(
        .unreadable, key.name,
        "\"\(key.name)\" could be read at first, and failed later: \(sentence(error)) Let it work at any time.")
    }
  }

  /// Collects the keys that can be read; returns `false` if the table is invalid.
  private func findKeys() throws -> Bool {
    let sample = try sample()
    let descriptions: [KVKeyDescription]
    do throws(KVError) { descriptions = try KVC.keys(of: sample.model) } catch {
      report(.invalidTable, nil, error.message)
      return false
    }
    let table = type(of: sample.model).keyTable
    keys = descriptions.map { ComplianceKey($0, of: sample.model, table: table) }
    let known = Set(keys.flatMap { [$0.name] + $0.aliases })
    for key in keys {
      for alias in key.aliases { if let value = given[alias] { given.updateValue(value, forKey: key.name) } }
    }
    keys += given.keys.sorted().filter { !known.contains($0) }.map(ComplianceKey.init(providedByHook:))
    if keys.isEmpty { report(.noKeys, nil, "There is no key, so nothing was checked. List properties in keyTable.") }
    keys = keys.filter { key in
      do throws(KVError) {
        let value = try sample.value(key.name)
        if Similarity.areAlike(value, try sample.value(key.name)) { stableKeys.insert(key.name) }
        return true
      } catch {
        report(.unreadable, key.name, "\"\(key.name)\" cannot be read: \(error.message)")
        return false
      }
    }
    return true
  }

  /// Returns the key with a name or an alias.
  func key(_ name: String) -> ComplianceKey? { keys.first { $0.name == name || $0.aliases.contains(name) } }

  /// Returns the violations, without the accepted exceptions and with the stale ones.
  func violations(ignoring exceptions: [KVComplianceViolation.Kind: Set<String>]) -> [KVComplianceViolation] {
    var positions: [String: Int] = [:]
    for (index, key) in keys.enumerated() {
      for name in [key.name] + key.aliases where positions[name] == nil { positions[name] = index }
    }
    let ordered = violations.enumerated().sorted { left, right in
      let position = { (key: String?) in key.map { positions[$0] ?? .max } ?? -1 }
      return (position(left.element.key), left.offset) < (position(right.element.key), right.offset)
    }
    let stale = exceptions.sorted { $0.key.description < $1.key.description }.flatMap { kind, keys in
      keys.sorted().filter { !has(kind, $0) }.map { key in
        KVComplianceViolation(
          .staleException, key,
          "\"\(key)\" is excepted from \(kind), of which there is none. Remove the exception.")
      }
    }
    return ordered.map(\.element).filter { violation in
      violation.key.map { exceptions[violation.kind]?.contains($0) != true } ?? true
    } + stale
  }
}
