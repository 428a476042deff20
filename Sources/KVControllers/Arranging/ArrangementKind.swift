import KVBinding
import KVCore

/// The kind of an ``ArrangementChange``.
package enum ArrangementKind {
  case none, replacement, indexes, whole
}
