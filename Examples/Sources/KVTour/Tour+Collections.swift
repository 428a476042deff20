import KVBinding
import KVDocuments

extension Tour {
  static let records = TourStep(
    "A record is a model without a schema",
    code: """
      let album: KVRecord = ["title": "Giant Steps", "artist": ["name": "John Coltrane"]]
      let title = album.title as? String
      show(title)
      album.year = 1960
      try album.setValue("Trane", forKeyPath: "artist.name")
      show(album)
      show(String(decoding: try album.json(), as: UTF8.self))
      """,
    run: runRecords)

  private static func runRecords(_ show: Show) throws {
    let album: KVRecord = ["title": "Giant Steps", "artist": ["name": "John Coltrane"]]
    let title = album.title as? String
    show(title)
    album.year = 1960
    try album.setValue("Trane", forKeyPath: "artist.name")
    show(album)
    show(String(decoding: try album.json(), as: UTF8.self))
  }

  static let mutableArrays = TourStep(
    "A to-many key is edited through a live view",
    code: """
      let album = Album()
      let tracks = album.mutableArray(forKey: "tracks")
      try tracks.append(Track("All Blues", 693))
      try tracks.remove(at: 0)
      show(try album.value(forKeyPath: "tracks.title"))
      show(album.seconds)
      show.error { try tracks.remove(at: 5) }
      """,
    run: runMutableArrays)

  private static func runMutableArrays(_ show: Show) throws {
    let album = Album()
    let tracks = album.mutableArray(forKey: "tracks")
    try tracks.append(Track("All Blues", 693))
    try tracks.remove(at: 0)
    show(try album.value(forKeyPath: "tracks.title"))
    show(album.seconds)
    show.error { try tracks.remove(at: 5) }
  }

  static let validation = TourStep(
    "Validation asks the key's validator; setting does not",
    code: """
      let album = Album()
      show(try KVC.validate(1960, forKeyPath: "year", of: album))
      show.error { _ = try KVC.validate(1812, forKeyPath: "year", of: album) }
      try album.setValue(1812, forKey: "year")
      show(album.year)
      """,
    run: runValidation)

  private static func runValidation(_ show: Show) throws {
    let album = Album()
    show(try KVC.validate(1960, forKeyPath: "year", of: album))
    show.error { _ = try KVC.validate(1812, forKeyPath: "year", of: album) }
    try album.setValue(1812, forKey: "year")
    show(album.year)
  }

  static let typedPaths = TourStep(
    "Typed paths are checked by the compiler",
    code: """
      let city = try KVTypedKeyPath(Album.self).label.city.keyPath()
      show(city)
      show(try Album().value(forKeyPath: city, as: String.self))
      """,
    run: runTypedPaths)

  private static func runTypedPaths(_ show: Show) throws {
    let city = try KVTypedKeyPath(Album.self).label.city.keyPath()
    show(city)
    show(try Album().value(forKeyPath: city, as: String.self))
  }

  static let ownOperators = TourStep(
    "A program adds operators of its own",
    code: """
      defer { KVOperator.unregister("longest") }
      try KVOperator.register("longest") { call in
        call.values.compactMap { $0 as? String }.max { $0.count < $1.count }
      }
      show(try Album().value(forKeyPath: "tracks.@longest.title"))
      """,
    run: runOwnOperators)

  private static func runOwnOperators(_ show: Show) throws {
    defer { KVOperator.unregister("longest") }
    try KVOperator.register("longest") { call in
      call.values.compactMap { $0 as? String }.max { $0.count < $1.count }
    }
    show(try Album().value(forKeyPath: "tracks.@longest.title"))
  }
}
