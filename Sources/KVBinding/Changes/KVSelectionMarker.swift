import KVCore

/// A marker that a path through the selection of a controller yields instead of a value (CTR.33).
///
/// ```swift
/// if case .marker(.multipleValues) = songs.selection["year"] { print("mixed") }
/// ```
///
/// The options `noSelection:`, `multipleValues:` and `notApplicable:` of a binding replace a marker by a placeholder; see
/// ``KVBindingOptions/placeholders``.
public enum KVSelectionMarker: String, Sendable, Hashable, CaseIterable, LinkedWithBinding {
  /// Nothing is selected.
  case noSelection
  /// Several objects are selected, and their values differ.
  case multipleValues
  /// A selected object does not have the key.
  case notApplicable
}

extension KVSelectionMarker: NamedInMessages {
  package var nameInMessages: String { "the marker \(rawValue) of a selection" }
}

extension KVSelectionMarker: CustomStringConvertible {
  /// The name of the marker with that of its type: `KVSelectionMarker.noSelection`.
  public var description: String { "KVSelectionMarker.\(rawValue)" }
}
