import KVBinding
import KVCore

/// The check of a type's compliance with key-value coding and, if its objects are observable, key-value observing
/// (TST.2).
///
/// ``expectCompliant(values:ignoring:fileID:filePath:line:column:_:)`` reports the violations as a failure of a test.
/// This type returns them as a list, for any other use.
///
/// These checks are run for each key of the table and each stored property, each with a new sample:
///
/// | check | violations |
/// |---|---|
/// | The type has a key. | `noKeys` |
/// | The key can be read. | `unreadable` |
/// | The key accepts its own value, another one, and nil if it is optional. | `refusesValue` |
/// | The key reads back the value that was written. | `losesValue` |
/// | A write by key notifies once, with the right old and new value. | `notNotified`, `notifiedTwice`, `wrongRecord` |
/// | A write of the property in Swift notifies. | `setterNotObservable` |
/// | All paths that the key depends on notify its observers. | `deadDependency` |
/// | All other keys keep their values, or notify. | `undeclaredDependency` |
/// | The validator accepts the current value. | `invalidCurrentValue` |
/// | The key reads the stored property of its name. | `wrongProperty` |
/// | Every `@KVProperty` can be written by key. | `unlistedProperty` |
/// | The to-many functions make their edits, and notify of them. | `misplacesElements`, `wrongElementRecord` |
///
/// The written value of a key differs from its initial value if such a value can be made up: for numbers, texts,
/// `Bool`, enums that are `CaseIterable` or have raw values, dates and other types of Foundation, optionals,
/// collections, structs with a table, and objects of the sample's own class. Otherwise the value of another sample is
/// written if it differs. Otherwise the current value is written again, which checks less; pass another one in
/// `values`. A setter that normalizes its values (trims, clamps, rounds) complies, as long as it stores normalized
/// values unchanged.
///
/// The checks have these limits:
/// - Structs, and classes that are not ``KVObservable``, are checked for key-value coding only.
/// - Changes that only a method of the model makes are not checked.
/// - Other objects are changed only if a key is declared to depend on them, so that an undeclared path through another
///   object is not found.
/// - A notification that arrives later, for example from a queue, does not count.
/// - A setter that ends the program for a made-up value ends the test: pass another value.
/// - Values that cannot be compared, even by their keys (such as closures), and keys that read a different value each
///   time, are only written, and their notifications are counted.
public enum KVCompliance {
  /// Returns the violations of a type.
  ///
  /// - Parameters:
  ///   - values: Values to write, by key, for keys whose values cannot be made up or whose made-up values are not
  ///     accepted. They may include keys that only the hooks of the type define, which are checked then.
  ///   - exceptions: Accepted violations: keys by the kind of the violation. An unneeded exception is a violation.
  ///   - make: Creates a sample; called for each check, so that no check sees the changes of another one. Samples
  ///     should be alike, and contain what is to be checked: elements in collections, objects at the beginning of
  ///     paths.
  /// - Returns: The violations, in the order of the keys; empty if the type complies.
  /// - Throws: The error of creating a sample.
  /// - Complexity: O(*n*²) in the number of keys; some dozen samples per key.
  public static func violations<Model: KeyValueCoding>(
    values: [String: Any?] = [:], ignoring exceptions: [KVComplianceViolation.Kind: Set<String>] = [:],
    _ make: () throws -> Model
  ) throws -> [KVComplianceViolation] {
    try withoutActuallyEscaping(make) { make in
      let inspection = ComplianceInspection(values: values) { try make() }
      do { try inspection.run() } catch let missing as ComplianceInspection.MissingSample { throw missing.cause }
      return inspection.violations(ignoring: exceptions)
    }
  }
}
