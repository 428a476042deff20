/// Knows whether the records of an observation come in the order of the changes.
///
/// They do not where an earlier observer edits the collection in its handler: that change is told to everybody before the
/// one that it reacts to. Since all `prior` records of a change come before any other, two of them in a row show it.
final class RecordOrder {
  /// Changes that were announced and not told yet.
  private var announced = 0
  /// Changes that were announced, and overtaken by later ones.
  private var overtaken = 0

  func willChange() { announced += 1 }

  /// Returns whether the record tells of the difference to what was told before; if not, all must be looked at anew.
  func didChange() -> Bool {
    switch announced {
    case 0:
      overtaken = max(0, overtaken - 1)
      return false
    case 1:
      announced = 0
      return true
    default:
      overtaken += announced - 1
      announced = 0
      return false
    }
  }
}
