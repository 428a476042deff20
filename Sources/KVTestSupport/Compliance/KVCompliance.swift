import KVBinding
import KVCore

/// Finds out whether a type complies with key-value coding, and with key-value observing if its objects can be observed.
///
/// ``expectCompliant(values:ignoring:fileID:filePath:line:column:_:)`` makes a failure of what it finds; here is the list
/// itself, for any other use of it (TST.2).
///
/// For each key of the table, and each stored property, these questions are asked, each of a fresh sample:
///
/// | question | where the answer is no |
/// |---|---|
/// | is there a key at all? | `noKeys` |
/// | can it be read? | `unreadable` |
/// | does it take its own value, another one, and nil if it is optional? | `refusesValue` |
/// | does it read back what was written? | `losesValue` |
/// | does a write by key tell once, with the right old and new value? | `silent`, `toldTwice`, `wrongRecord` |
/// | does a write of the property in Swift tell? | `silentInSwift` |
/// | do all paths that it depends on make it tell? | `deadDependency` |
/// | do all other keys stay as they are, or tell? | `undeclaredDependency` |
/// | does its validator accept what it holds? | `invalidCurrentValue` |
/// | does it read the stored property of its name? | `wrongProperty` |
/// | can every `@KVProperty` be written by key? | `unlistedProperty` |
/// | do its to-many functions do what they say, and tell it? | `misplacesElements`, `wrongElementRecord` |
///
/// The last value of a key differs from its first one wherever one can be made up: of numbers, texts, `Bool`, enums that
/// are `CaseIterable` or have raw values, dates and other values of Foundation, optionals, collections, structs with a
/// table, and objects of the sample's own type. Else the value of another sample is taken if that differs, and else the
/// value is written that is there already, which shows less; give one in `values`. A setter that tidies up what it is
/// given (trims, clamps, rounds) complies, as long as it stores what it has tidied up as it is.
///
/// The limits: a struct, and a class that is not ``KVObservable``, is asked what belongs to coding alone. What only a
/// method of the model changes is not seen. Other objects are only changed where a key is declared to depend on them: a
/// path through them that should be declared, and is not, is not missed. What is told later, from a queue perhaps, is not
/// told. A setter that ends the program on a value that is made up for it ends the test: give it another one. Values that
/// can neither be compared nor taken apart (closures, say), and keys that read differently each time, are only written and
/// counted.
public enum KVCompliance {
  /// Returns what does not comply.
  ///
  /// - Parameters:
  ///   - values: Values to write, by key, where none can be made up or where the made-up one will not do. A key that
  ///     only the hooks of the type answer is checked if it is among them.
  ///   - exceptions: What the author accepts: keys by the kind of the violation. One that is not needed is a violation.
  ///   - make: Makes a sample; called for each question, so that no question sees what another one has changed. Samples
  ///     should be alike, and hold what there is to check: elements in collections, objects at the start of paths.
  /// - Returns: The violations, in the order of the keys; none if the type complies.
  /// - Throws: What making a sample throws.
  /// - Complexity: O(*n*²) in the number of keys; some dozen samples a key.
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
