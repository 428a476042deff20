import KVBinding
import KVCore

extension UndoRule {
  /// A key of an object that is recorded, or leads to further objects.
  struct Key {
    let name: String
    /// The rule of the objects that the key leads to; nil for none.
    let rule: UndoRule?
    /// Whether it leads to records only.
    let isOfRecords: Bool
    /// Whether the key is never set, so that nothing of it is recorded.
    let isConstant: Bool
    /// The declared type of the values; nil if it is not known.
    let valueType: Any.Type?

    init(
      _ name: String, _ rule: UndoRule? = nil, isOfRecords: Bool = false, isConstant: Bool = false,
      valueType: Any.Type? = nil
    ) {
      (self.name, self.rule, self.isOfRecords, self.isConstant) = (name, rule, isOfRecords, isConstant)
      self.valueType = valueType
    }
  }
}
