import KVBinding
import Testing

/// The chapters of `Docs/Troubleshooting.md` on what KVBinding reports.
enum BindingMistakes {
  typealias Song = BindingMistake.Song
  typealias Artist = BindingMistake.Artist
  typealias Library = BindingMistake.Library
  typealias Label = BindingMistake.Label
  typealias Radio = BindingMistake.Radio
  typealias Tape = BindingMistake.Tape

  static let introduction = """

    The mistakes of the next chapters are made with these models:

    ```swift
    @KVModel final class Song: KVObject {
      var title = "So What"
      var year = 1959
      var tags: [String] = []
      @KVIgnored var plays = 0
      var summary: String { "\\(title), \\(year)" }
    }

    @KVModel final class Library: KVObject { var songs: [Song] = [] }

    @KVModel final class Label: KVObject {
      var text = ""
      var number = 0
    }
    ```

    """

  static let chapters: [(heading: String, mistakes: [BindingMistake])] = [
    ("The observation is refused", observing), ("The binding is refused, or fails", binding),
    ("The controller refuses", controllers), ("Undo refuses", undo),
  ]

  static let all = chapters.flatMap(\.mistakes)

  // A closure throws if it has a `try`, which those in the arguments of a macro do not count as.
  static func check(_ condition: Bool, _ location: SourceLocation = #_sourceLocation) {
    #expect(condition, sourceLocation: location)
  }
}
