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

  /// The cures of a property that never notifies: one that is stored, one that is computed, and one that is elsewhere.
  @KVModel final class Radio: KVObject {
    var plays = 0
    @KVKey(.affected(by: "plays")) var rank: Int { ranked() }
    @KVKey(.notifiesManually) var volume: Int { device }
    @KVIgnored var device = 3

    private func ranked() -> Int { plays / 10 }
  }

  /// The same with a table by hand.
  final class Tape: KVObject {
    @KVProperty var plays = 0

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Tape.self) { key in key("plays", \.plays) }
    }
  }
}
