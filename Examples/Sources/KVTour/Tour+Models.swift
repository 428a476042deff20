import KVBinding

extension Tour {
  static let table = TourStep(
    "A class lists its keys in a table",
    declaration: #"""
      final class Album: KVObject {
        @KVProperty var title = "Kind of Blue"
        var year = 1959
        var tracks = [Track("So What", 562), Track("Blue in Green", 337)]
        var label = Label()
        var seconds: Int { tracks.map(\.seconds).reduce(0, +) }

        override class var keyTable: KVTable {
          super.keyTable.extended(for: Album.self) { key in
            key("title", \.title)
            key("year", \.year).lenient().validated { year in
              if year < 1877 { throw KVError(.invalidValue, "there were no records before 1877.") }
              return .valid
            }
            key("tracks", \.tracks)
            key("label", \.label)
            key("seconds", \.seconds).affected(by: "tracks")
          }
        }
      }
      """#,
    code: """
      let album = Album()
      try album.setValue("Kind of Blue (Remastered)", forKey: "title")
      show(album.title)
      show(try album.value(forKey: "seconds"))
      for key in try KVC.keys(of: album) { show(key) }
      """,
    run: runTable)

  private static func runTable(_ show: Show) throws {
    let album = Album()
    try album.setValue("Kind of Blue (Remastered)", forKey: "title")
    show(album.title)
    show(try album.value(forKey: "seconds"))
    for key in try KVC.keys(of: album) { show(key) }
  }

  static let structsWrittenBack = TourStep(
    "Structs on the way are changed and written back",
    declaration: #"""
      struct Label: KeyValueCoding {
        var name = "Columbia"
        var city = "New York"

        static var keyTable: KVTable {
          KVTable(Label.self) { key in
            key("name", \.name)
            key("city", \.city)
          }
        }
      }
      """#,
    code: """
      let album = Album()
      try album.setValue("Los Angeles", forKeyPath: "label.city")
      try album.setValue("So What (live)", forKeyPath: "tracks[0].title")
      show(album.label)
      show(try album.value(forKeyPath: "tracks.title"))
      """,
    run: runStructsWrittenBack)

  private static func runStructsWrittenBack(_ show: Show) throws {
    let album = Album()
    try album.setValue("Los Angeles", forKeyPath: "label.city")
    try album.setValue("So What (live)", forKeyPath: "tracks[0].title")
    show(album.label)
    show(try album.value(forKeyPath: "tracks.title"))
  }

  static let coercion = TourStep(
    "Values are made to fit, and never silently spoilt",
    code: """
      let album = Album()
      try album.setValue(1960.7, forKey: "year")
      show(album.year)
      try album.setValue("1961", forKey: "year")
      show(album.year)
      show.error { try album.setValue("sixty", forKey: "year") }
      show.error { try album.setValue(1e300, forKey: "year") }
      show.error { try album.setValue(nil, forKey: "year") }
      show(try album.value(forKey: "year", as: Double.self))
      """,
    run: runCoercion)

  private static func runCoercion(_ show: Show) throws {
    let album = Album()
    try album.setValue(1960.7, forKey: "year")
    show(album.year)
    try album.setValue("1961", forKey: "year")
    show(album.year)
    show.error { try album.setValue("sixty", forKey: "year") }
    show.error { try album.setValue(1e300, forKey: "year") }
    show.error { try album.setValue(nil, forKey: "year") }
    show(try album.value(forKey: "year", as: Double.self))
  }

  static let errors = TourStep(
    "Errors say what would have worked",
    code: """
      let album = Album()
      show.error { _ = try album.value(forKey: "titel") }
      show.error { _ = try album.value(forKeyPath: "label.ctiy") }
      show.error { _ = try album.value(forKeyPath: "tracks.@smu.seconds") }
      show.error { try album.setValue(900, forKey: "seconds") }
      show.error { _ = try album.value(forKeyPath: "tracks[0") }
      """,
    run: runErrors)

  private static func runErrors(_ show: Show) throws {
    let album = Album()
    show.error { _ = try album.value(forKey: "titel") }
    show.error { _ = try album.value(forKeyPath: "label.ctiy") }
    show.error { _ = try album.value(forKeyPath: "tracks.@smu.seconds") }
    show.error { try album.setValue(900, forKey: "seconds") }
    show.error { _ = try album.value(forKeyPath: "tracks[0") }
  }
}
