import KVControllers

/// An element of the controllers in tests.
final class Tune: KVObject {
  @KVProperty var title = ""
  @KVProperty var rank = 0

  init(_ title: String = "new", rank: Int = 0) {
    super.init()
    self.title = title
    self.rank = rank
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Tune.self) { key in
      key("title", \.title)
      key("rank", \.rank)
    }
  }
}

extension Tune: CustomStringConvertible {
  var description: String { "\(title)\(rank)" }
}

/// A model with a list for controllers in tests.
final class Shelf: KVObject {
  @KVProperty var tunes: [Tune] = []
  @KVProperty var names: [String] = []

  /// The first tune, which cannot be set.
  var first: [Tune] { Array(tunes.prefix(1)) }

  convenience init(_ tunes: [Tune]) {
    self.init()
    self.tunes = tunes
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Shelf.self) { key in
      key("tunes", \.tunes)
      key("names", \.names)
      key("first", { $0.first }).affected(by: "tunes")
    }
  }
}
