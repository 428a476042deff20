import KVBinding

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

@KVModel struct Track {
  var title: String
  var seconds: Int

  init(_ title: String, _ seconds: Int) {
    self.title = title
    self.seconds = seconds
  }
}

@KVModel struct Label {
  var name = "Columbia"
  var city = "New York"
}
