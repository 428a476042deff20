/// What a validator finds, unless it throws (VAL.1, after Apple's *Validating Properties*).
public enum KVValidation {
  /// The value may be set as it is.
  case valid
  /// Another value is to be set in its place.
  case replaced(with: Any?)
}
