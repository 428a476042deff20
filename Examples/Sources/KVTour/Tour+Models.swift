import KVBinding

extension Tour {
  static let table = TourStep(
    "The properties of a class are its keys",
    declaration: #"""
      @KVModel final class Album: KVObject {
        var title = "Kind of Blue"
        @KVKey(.lenient, .validated(by: checkYear)) var year = 1959
        var tracks = [Track("So What", 562), Track("Blue in Green", 337)]
        var label = Label()
        var seconds: Int { tracks.map(\.seconds).reduce(0, +) }

        func checkYear(_ year: Int) throws -> KVValidation {
          if year < 1877 { throw KVError(.invalidValue, "there were no records before 1877.") }
          return .valid
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
      @KVModel struct Label {
        var name = "Columbia"
        var city = "New York"
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
