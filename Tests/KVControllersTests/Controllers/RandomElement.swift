import KVControllers

/// An element of the controllers that the oracle follows: an object or a value.
protocol RandomElement: KeyValueCoding {
  var title: String { get }
  var rank: Int { get }
  /// What tells elements apart: the identity of an object, or the value.
  var identity: AnyHashable { get }
  /// The titles and the number of ranks of new elements.
  static var titles: String { get }
  static var ranks: Int { get }
  init(_ title: String, rank: Int)
}

/// An element whose keys can change.
protocol RandomObject: RandomElement, AnyObject {
  var title: String { get set }
  var rank: Int { get set }
}

/// The sort orders of the oracle.
enum RandomOrder: CaseIterable { case rankUp, rankDown, titleUp }

extension Tune: RandomObject {
  var identity: AnyHashable { ObjectIdentifier(self) }
  static var titles: String { "abcdefghij" }
  static var ranks: Int { 10 }
}

/// A value with few titles and ranks, so that many are equal.
struct RandomNote: Hashable, RandomElement, CustomStringConvertible {
  var title: String
  var rank: Int
  var identity: AnyHashable { self }
  var description: String { "\(title)\(rank)" }

  init(_ title: String, rank: Int) { (self.title, self.rank) = (title, rank) }

  static var titles: String { "ab" }
  static var ranks: Int { 4 }

  static var keyTable: KVTable {
    KVTable(RandomNote.self) { key in
      key("title", \.title)
      key("rank", \.rank)
    }
  }
}
