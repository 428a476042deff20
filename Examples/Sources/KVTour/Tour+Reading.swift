import KVBinding
import KVDocuments

extension Tour {
  static let reading = TourStep(
    "Reading a path",
    code: """
      let shelf = try KVRecord(json: Shelf.json)
      show(try shelf.value(forKeyPath: "owner"))
      show(try shelf.value(forKeyPath: "albums.title"))
      show(try shelf.value(forKeyPath: "albums.artist.name"))
      """,
    run: runReading)

  private static func runReading(_ show: Show) throws {
    let shelf = try KVRecord(json: Shelf.json)
    show(try shelf.value(forKeyPath: "owner"))
    show(try shelf.value(forKeyPath: "albums.title"))
    show(try shelf.value(forKeyPath: "albums.artist.name"))
  }

  static let nilInTheMiddle = TourStep(
    "Nil in the middle of a path ends it with nil; writing through it is an error",
    code: """
      let shelf = try KVRecord(json: Shelf.json)
      show(try shelf.value(forKeyPath: "albums[2].artist.name"))
      show.error { try shelf.setValue("Dave Brubeck", forKeyPath: "albums[2].artist.name") }
      show(try shelf.setValueIfResolved("Dave Brubeck", forKeyPath: "albums[2].artist.name"))
      """,
    run: runNilInTheMiddle)

  private static func runNilInTheMiddle(_ show: Show) throws {
    let shelf = try KVRecord(json: Shelf.json)
    show(try shelf.value(forKeyPath: "albums[2].artist.name"))
    show.error { try shelf.setValue("Dave Brubeck", forKeyPath: "albums[2].artist.name") }
    show(try shelf.setValueIfResolved("Dave Brubeck", forKeyPath: "albums[2].artist.name"))
  }

  static let operators = TourStep(
    "Operators compute over collections",
    code: """
      let shelf = try KVRecord(json: Shelf.json)
      show(try shelf.value(forKeyPath: "albums.@count"))
      show(try shelf.value(forKeyPath: "albums.@sum.price"))
      show(try shelf.value(forKeyPath: "albums.@min.title"))
      show(try shelf.value(forKeyPath: "albums.@distinctUnionOfObjects.year"))
      show(try shelf.value(forKeyPath: "albums.@distinctUnionOfArrays.tags"))
      """,
    run: runOperators)

  private static func runOperators(_ show: Show) throws {
    let shelf = try KVRecord(json: Shelf.json)
    show(try shelf.value(forKeyPath: "albums.@count"))
    show(try shelf.value(forKeyPath: "albums.@sum.price"))
    show(try shelf.value(forKeyPath: "albums.@min.title"))
    show(try shelf.value(forKeyPath: "albums.@distinctUnionOfObjects.year"))
    show(try shelf.value(forKeyPath: "albums.@distinctUnionOfArrays.tags"))
  }

  static let indexesAndEntries = TourStep(
    "Indexes, and quotes around keys that hold dots",
    code: """
      let shelf = try KVRecord(json: Shelf.json)
      show(try shelf.value(forKeyPath: "albums[1].title"))
      show(try shelf.value(forKeyPath: #"albums[0].notes["liner.author"]"#))
      show.error { _ = try shelf.value(forKeyPath: "albums[7].title") }
      """,
    run: runIndexesAndEntries)

  private static func runIndexesAndEntries(_ show: Show) throws {
    let shelf = try KVRecord(json: Shelf.json)
    show(try shelf.value(forKeyPath: "albums[1].title"))
    show(try shelf.value(forKeyPath: #"albums[0].notes["liner.author"]"#))
    show.error { _ = try shelf.value(forKeyPath: "albums[7].title") }
  }
}
