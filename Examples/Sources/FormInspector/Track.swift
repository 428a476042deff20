import KVBinding

/// A model that knows nothing of forms.
@KVModel final class Track: KVObject {
  enum Medium: String, CaseIterable {
    case vinyl, tape, file
  }

  @KVKey(.metadata("title", "Title"), .validated(by: checkTitle)) var title = "Blue Train"
  @KVKey(.metadata("title", "Seconds")) var seconds = 643
  @KVKey(.metadata("title", "Rating")) var rating: Double? = 4.5
  @KVKey(.metadata("title", "Favourite")) var isFavourite = true
  @KVKey(.metadata("title", "Medium")) var medium = Medium.vinyl
  @KVKey(.metadata("title", "Players")) var players = ["Coltrane", "Morgan"]
  @KVKey(.metadata("title", "Length")) var length: String { "\(seconds / 60) min \(seconds % 60) s" }

  private func checkTitle(_ title: String) throws -> KVValidation {
    if title.isEmpty { throw EmptyTitle() }
    return .valid
  }

  struct EmptyTitle: Error, CustomStringConvertible {
    let description = "a track has a title"
  }
}
