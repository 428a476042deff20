import KVBinding

extension KeyValueCoding where Self: AnyObject {
  /// The bindings of the object, in the order of their creation.
  package var bindings: [KVPathBinding] { KVDiagnostics.bindings(of: self) }
}
