import KVBinding

/// A model that knows nothing of forms.
final class Track: KVObject {
  enum Medium: String, CaseIterable {
    case vinyl, tape, file
  }

  @KVProperty var title = "Blue Train"
  @KVProperty var seconds = 643
  @KVProperty var rating: Double? = 4.5
  @KVProperty var isFavourite = true
  @KVProperty var medium = Medium.vinyl
  @KVProperty var players = ["Coltrane", "Morgan"]
  var length: String { "\(seconds / 60) min \(seconds % 60) s" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Track.self) { key in
      key("title", \.title).metadata("title", "Title").validated { title in
        if title.isEmpty { throw EmptyTitle() }
        return .valid
      }
      key("seconds", \.seconds).metadata("title", "Seconds")
      key("rating", \.rating).metadata("title", "Rating")
      key("isFavourite", \.isFavourite).metadata("title", "Favourite")
      key("medium", \.medium).metadata("title", "Medium")
      key("players", \.players).metadata("title", "Players")
      key("length", \.length).metadata("title", "Length").affected(by: "seconds")
    }
  }

  struct EmptyTitle: Error, CustomStringConvertible {
    let description = "a track has a title"
  }
}
