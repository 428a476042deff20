import KVControllers

/// The view side of the steps about bindings: texts, a stepper, and a list.
@KVModel final class Form: KVObject {
  var title = ""
  var fullName = ""
  var progress = 0.0
  var age = 0
  var shownAge: String? = ""
  var rows: [String] = []
}

/// A colour in three parts, and what depends on them.
@KVModel final class Paint: KVObject {
  var red = 0.0
  var green = 0.0
  var blue = 0.0
  var title = ""
  var favorites: [[Double]] = []
  let redSlider = Slider()
  let greenSlider = Slider()
  let blueSlider = Slider()
  var color: [Double] {
    get { [red, green, blue] }
    set { (red, green, blue) = (newValue[0], newValue[1], newValue[2]) }
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
@KVModel final class Caption: KVNode {
  var text: String? = ""
}

/// What a tree shows.
@KVModel final class Fruit: KVObject {
  var name: String
  var colorName: String

  init(_ name: String, _ colorName: String) {
    self.name = name
    self.colorName = colorName
  }
}

/// Somebody with an age, as in a list of users.
@KVModel final class User: KVObject {
  var first: String
  var last: String
  var age: Int
  var fullName: String { "\(first) \(last)" }

  init(_ first: String, _ last: String, _ age: Int) {
    self.first = first
    self.last = last
    self.age = age
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
