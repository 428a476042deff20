import KVBinding
import KVCore

// The checks that the table agrees with the stored properties.

extension ComplianceInspection {
  /// Compares a key with the stored property of its name, before and after a write.
  func checkStoredProperty(_ key: ComplianceKey) throws {
    guard key.isListed, stableKeys.contains(key.name) else { return }
    let sample = try sample()
    if try isMistaken(key, sample, "") { return }
    guard let value = values[key.name] else { return }
    try sample.change(key, to: value)
    _ = try isMistaken(key, sample, " after it was set to \(brief(value))")
  }

  private func isMistaken(_ key: ComplianceKey, _ sample: ComplianceSample, _ moment: String) throws -> Bool {
    guard let stored = ReflectedValue.storedProperty(key.name, of: sample.model), Similarity.isComparable(stored) else {
      return false
    }
    let value = try sample.value(key.name)
    if Similarity.areAlike(value, stored) { return false }
    report(
      .wrongProperty, key.name,
      """
      "\(key.name)" reads \(brief(value))\(moment), and the stored property "\(key.name)" is \(brief(stored)). Let the \
      line name that property, or give the key another name.
      """)
    return true
  }

  /// Collects keys whose changes cannot be checked, since the line of another property makes them.
  func findMistakenKeys() {
    let wrong = keys.filter { has(.wrongProperty, $0.name) }
    misdeclaredKeys = Set(wrong.map(\.name))
    for key in keys {
      if let path = key.nativePath, wrong.contains(where: { $0.nativePath == path }) {
        misdeclaredKeys.insert(key.name)
      }
    }
  }

  /// Returns whether a key without another known value may belong to the property of another key.
  private func mayStore(_ key: ComplianceKey, _ property: ComplianceKey) -> Bool {
    (optionalWrappedType(key.valueType) ?? key.valueType)
      == (optionalWrappedType(property.valueType) ?? property.valueType)
  }

  /// Checks that an observable property without a line is at least changed by another key.
  func checkUnlistedProperty(_ key: ComplianceKey) throws {
    guard stableKeys.contains(key.name) else { return }
    let isReached = try keys.contains { other in
      guard other.writeAccess != nil else { return false }
      guard let value = values[other.name] else { return mayStore(other, key) }
      let sample = try sample()
      let before = try sample.value(key.name)
      try sample.change(other, to: value)
      return !Similarity.areAlike(before, try sample.value(key.name))
    }
    if isReached { return }
    report(
      .unlistedProperty, key.name,
      """
      "\(key.name)" is a @KVProperty that no line of the table reaches: it cannot be written by key. Add \
      key("\(key.name)", \\.\(key.name)) to the table.
      """)
  }
}
