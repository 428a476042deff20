/// The result of a validator that does not throw (VAL.1, after Apple's *Validating Properties*).
public enum KVValidation {
  /// The value is valid as it is.
  case valid
  /// The value is valid once it is replaced by another one.
  case replaced(with: Any?)
}
