import KVBinding
import KVCore

// The checks of key-value coding: values that a key accepts and keeps.

extension ComplianceInspection {
  private enum Outcome {
    case stored
    case refused(KVError)
    case lost(Any?)
  }

  func checkValidator(_ key: ComplianceKey) throws {
    guard key.isListed else { return }
    let sample = try sample()
    do throws(KVError) {
      let value = try sample.value(key.name)
      if case .replaced(let other) = try sample.model.validate(value, forKeyPath: key.name),
        !Similarity.areAlike(value, other)
      {
        report(
          .invalidCurrentValue, key.name,
          """
          "\(key.name)" is \(brief(value)), which its validator replaces by \(brief(other)). Begin with a value that \
          needs no replacement.
          """)
      }
    } catch {
      report(
        .invalidCurrentValue, key.name,
        """
        "\(key.name)" holds what its validator refuses: \(sentence(error)) Begin with a valid value, or let the \
        validator accept this one.
        """)
    }
  }

  /// Finds a value that the key accepts, for all other checks; reports a violation if it rejects values that it should
  /// accept.
  func checkWriting(_ key: ComplianceKey) throws {
    guard key.writeAccess != nil else {
      if given[key.name] != nil {
        report(
          .unusedValue, key.name,
          "\"\(key.name)\" is read-only, and a value was given for it. Take the value away, or give the key a setter.")
      }
      return
    }
    let sample = try sample()
    let current = try sample.value(key.name)
    let candidates = try candidates(for: key, in: sample, than: current)
    do throws(KVError) { try sample.change(key, to: current) } catch {
      return report(
        .refusesValue, key.name,
        """
        "\(key.name)" refuses \(brief(current)), the value that it has: \(sentence(error)) Let the setter take all that \
        the getter returns.
        """)
    }
    var fault: (candidate: Any?, outcome: Outcome)?
    for candidate in candidates.prefix(8) {
      let outcome = try write(candidate, to: key)
      if case .stored = outcome {
        values.updateValue(candidate, forKey: key.name)
        return try checkNil(key, instead: candidate)
      }
      fault = fault ?? (candidate, outcome)
    }
    guard let fault else { return }
    if key.writeAccess == .inSwift {
      constantKeys.insert(key.name)
    } else {
      report(fault.outcome, of: fault.candidate, key)
    }
  }

  private func write(_ value: Any?, to key: ComplianceKey) throws -> Outcome {
    let sample = try sample()
    let before = try sample.value(key.name)
    do throws(KVError) { try sample.change(key, to: value) } catch { return .refused(error) }
    let after = try sample.value(key.name)
    if Similarity.areAlike(after, value) { return .stored }
    // The setter may normalize values: the value that it has made of the first one is then stored unchanged.
    guard !Similarity.areAlike(after, before) else { return .lost(after) }
    do throws(KVError) { try sample.change(key, to: after) } catch { return .refused(error) }
    return Similarity.areAlike(try sample.value(key.name), after) ? .stored : .lost(after)
  }

  private func report(_ outcome: Outcome, of value: Any?, _ key: ComplianceKey) {
    switch outcome {
    case .stored: break
    case .refused(let error):
      report(.refusesValue, key.name, "\"\(key.name)\" refuses \(brief(value)): \(sentence(error))")
    case .lost(let after):
      report(
        .losesValue, key.name,
        """
        "\(key.name)" was set to \(brief(value)) by key, and reads \(brief(after)). Let the setter store what it is \
        given, or make the key read-only.
        """)
    }
  }

  /// Checks that an optional key accepts nil: its value must at least change.
  private func checkNil(_ key: ComplianceKey, instead value: Any?) throws {
    guard key.isOptional, key.writeAccess == .byKey, value != nil else { return }
    let sample = try sample()
    guard case .valid? = try? sample.model.validate(nil, forKeyPath: key.name) else { return }
    try sample.change(key, to: value)
    let before = try sample.value(key.name)
    try sample.change(key, to: nil)
    guard before != nil, Similarity.areAlike(try sample.value(key.name), before) else { return }
    report(
      .losesValue, key.name,
      """
      "\(key.name)" was set to nil by key, and still reads \(brief(before)). Let the setter store nil too, or give the \
      key a type that is not optional.
      """)
  }

  /// Returns the message of an error, with a full stop.
  func sentence(_ error: KVError) -> String { error.message.hasSuffix(".") ? error.message : error.message + "." }
}
