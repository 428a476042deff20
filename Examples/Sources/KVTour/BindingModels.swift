import KVBinding

/// The view side of the steps about bindings: texts, a stepper, and a list.
final class Form: KVObject {
  @KVProperty var title = ""
  @KVProperty var fullName = ""
  @KVProperty var progress = 0.0
  @KVProperty var age = 0
  @KVProperty var shownAge: String? = ""
  @KVProperty var rows: [String] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Form.self) { key in
      key("title", \.title)
      key("fullName", \.fullName)
      key("progress", \.progress)
      key("age", \.age)
      key("shownAge", \.shownAge)
      key("rows", \.rows)
    }
  }
}

/// A colour in three parts, and what depends on them.
final class Paint: KVObject {
  @KVProperty var red = 0.0
  @KVProperty var green = 0.0
  @KVProperty var blue = 0.0
  @KVProperty var title = ""
  @KVProperty var favorites: [[Double]] = []
  let redSlider = Slider()
  let greenSlider = Slider()
  let blueSlider = Slider()
  var color: [Double] {
    get { [red, green, blue] }
    set { (red, green, blue) = (newValue[0], newValue[1], newValue[2]) }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Paint.self) { key in
      key("red", \.red)
      key("green", \.green)
      key("blue", \.blue)
      key("title", \.title)
      key("favorites", \.favorites)
      key("color", \.color).affected(by: "red", "green", "blue")
      key("redSlider", \.redSlider)
      key("greenSlider", \.greenSlider)
      key("blueSlider", \.blueSlider)
    }
  }
}

/// A control: it tells when its user moves it, and that is all.
final class Slider: KVControl {
  var value = 0.5
  private let handlers = KVControlHandlers()

  static var keyTable: KVTable { KVTable(Slider.self) { key in key("value", \.value) } }

  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    handlers.add(for: event, handler)
  }

  func removeControlHandler(_ token: Any) { handlers.remove(token) }

  func drag(to value: Double) {
    self.value = value
    handlers.send(.valueChanged)
  }
}

/// A node of a tree that shows a text.
final class Caption: KVNode {
  @KVProperty var text: String? = ""

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Caption.self) { key in key("text", \.text) }
  }
}

/// What a tree shows.
final class Fruit: KVObject {
  @KVProperty var name: String
  @KVProperty var colorName: String

  init(_ name: String, _ colorName: String) {
    self.name = name
    self.colorName = colorName
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Fruit.self) { key in
      key("name", \.name)
      key("colorName", \.colorName)
    }
  }
}

/// Somebody with an age, as in a list of users.
final class User: KVObject {
  @KVProperty var first: String
  @KVProperty var last: String
  @KVProperty var age: Int
  var fullName: String { "\(first) \(last)" }

  init(_ first: String, _ last: String, _ age: Int) {
    self.first = first
    self.last = last
    self.age = age
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: User.self) { key in
      key("first", \.first)
      key("last", \.last)
      key("age", \.age)
      key("fullName", \.fullName).affected(by: "first", "last")
    }
  }
}

/// Writes down what a list tells.
final class Log: KVListDataSourceDelegate {
  private let show: Show

  init(_ show: Show) { self.show = show }

  func list(_ list: KVListDataSource<String>, did change: KVListChange) {
    let rows = (0..<list.sections[0].rowCount).map { list.sections[0].row(at: $0) }
    switch change {
    case .rows(.insertion(let indexes), _): show("inserted at \(indexes): \(rows)")
    case .rows(.removal(let indexes), _): show("removed at \(indexes): \(rows)")
    default: show("changed: \(rows)")
    }
  }
}
