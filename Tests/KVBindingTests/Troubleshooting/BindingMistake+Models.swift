import KVBinding

extension BindingMistake {
  @KVModel final class Song: KVObject {
    var title = "So What"
    var year = 1959
    var tags: [String] = []
    var artist: Artist?
    @KVIgnored var plays = 0
    var summary: String { "\(title), \(year)" }
  }

  @KVModel final class Artist: KVObject {
    var name = "Miles Davis"
  }

  @KVModel final class Library: KVObject {
    var songs: [Song] = []
  }

  @KVModel final class Label: KVObject {
    var text = ""
    var number = 0
  }
}
