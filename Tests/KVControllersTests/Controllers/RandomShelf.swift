import KVControllers

/// A model whose list is the content.
class RandomShelf<Element: RandomElement>: KVObject {
  @KVProperty var tunes: [Element] = []

  required init(_ tunes: [Element]) {
    super.init()
    elements = tunes
  }

  /// The key of the content, and its elements.
  var key: String { "tunes" }
  var elements: [Element] {
    get { tunes }
    set { tunes = newValue }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: RandomShelf<Element>.self) { key in key("tunes", \.tunes) }
  }
}

/// A member of sets: equal to itself only.
///
/// With `SWIFT_DETERMINISTIC_HASHING=1` a walk can be repeated: the hash value is that of the first title and rank.
final class RandomCard: KVObject, Hashable, RandomObject, CustomStringConvertible {
  @KVProperty var title = ""
  @KVProperty var rank = 0
  var identity: AnyHashable { ObjectIdentifier(self) }
  var description: String { "\(title)\(rank)" }

  private let first: String

  init(_ title: String, rank: Int) {
    first = "\(title)\(rank)"
    super.init()
    (self.title, self.rank) = (title, rank)
  }

  static var titles: String { Tune.titles }
  static var ranks: Int { Tune.ranks }
  static func == (left: RandomCard, right: RandomCard) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(first) }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: RandomCard.self) { key in
      key("title", \.title)
      key("rank", \.rank)
    }
  }
}

/// A model whose set is the content: without an order, and with each member once (CTR.14).
final class RandomBox<Element: RandomElement & Hashable>: RandomShelf<Element> {
  @KVProperty var members: Set<Element> = []

  override var key: String { "members" }
  override var elements: [Element] {
    get { Array(members) }
    set { members = Set(newValue) }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: RandomBox<Element>.self) { key in key("members", \.members) }
  }
}
