import KVBinding
import KVCore

/// A check whether the records of an observation arrive in the order of the changes.
///
/// They do not if an earlier observer edits the collection in its handler: all observers are notified of that change
/// before the change that the handler reacts to. Since all `prior` records of a change precede its other records, two
/// `prior` records in a row show this.
final class RecordOrder {
  /// The number of changes that were announced and not yet delivered.
  private var announced = 0
  /// The number of changes that were announced and overtaken by later ones.
  private var stale = 0

  func willChange() { announced += 1 }

  /// Returns whether the record describes the difference from the last one; if not, everything must be reloaded.
  func didChange() -> Bool {
    switch announced {
    case 0:
      stale = max(0, stale - 1)
      return false
    case 1:
      announced = 0
      return true
    default:
      stale += announced - 1
      announced = 0
      return false
    }
  }
}
