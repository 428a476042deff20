import KVBinding
import KVCore

/// The result of a path through the selection of a controller: a value, or a marker instead of one (CTR.34).
public enum KVSelectionValue {
  /// The value of the one selected object, or the one that all selected objects have; nil is a value.
  case value(Any?)
  /// A marker.
  case marker(KVSelectionMarker)

  /// The value; nil for a marker.
  public var value: Any? { if case .value(let value) = self { value } else { nil } }
  /// The marker; nil for a value.
  public var marker: KVSelectionMarker? { if case .marker(let marker) = self { marker } else { nil } }
}
