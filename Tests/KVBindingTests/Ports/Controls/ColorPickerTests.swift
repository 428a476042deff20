import KVBinding
import KVCore
import TestModels
import Testing

/// A colour, as toolkits have them.
private struct Color: Equatable {
  var red = 0.0
  var green = 0.0
  var blue = 0.0
}

/// The model of the colour picker: three components, and the colour that they make.
private final class ColorModel: KVObject {
  @KVProperty var red = 0.0
  @KVProperty var green = 0.0
  @KVProperty var blue = 0.0
  @KVProperty var title: String?
  @KVProperty var favorites: [Color] = []
  var selected: Color {
    get { Color(red: red, green: green, blue: blue) }
    set { (red, green, blue) = (newValue.red, newValue.green, newValue.blue) }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ColorModel.self) { key in
      key("red", \.red)
      key("green", \.green)
      key("blue", \.blue)
      key("title", \.title)
      key("favorites", \.favorites)
      key("selected", \.selected).affected(by: "red", "green", "blue")
    }
  }
}

private final class ColorWell: KeyValueCoding {
  var color: Color?
  static var keyTable: KVTable { KVTable(ColorWell.self) { key in key("color", \.color) } }
}

/// The seed's sample: five bindings between a model, three sliders, a swatch and a title.
@Suite("CTL.1: the colour picker")
struct ColorPickerTests {
  private let model = ColorModel()
  private let red = SliderControl()
  private let green = SliderControl()
  private let blue = SliderControl()
  private let swatch = ColorWell()

  private let brightness = KVTransformer(forward: { (color: Color) in
    switch (color.red + color.green + color.blue) / 3 {
    case ..<0.1: "Black"
    case ..<0.5: "Dark"
    case ..<0.9: "Bright"
    default: "White"
    }
  })

  private var shown: Color { Color(red: red.value, green: green.value, blue: blue.value) }

  private func bind() throws -> [KVPathBinding] {
    [
      try blue.bind("value", to: "blue", of: model, options: .twoWay),
      try green.bind("value", to: "green", of: model, options: .twoWay),
      try model.bind("title", to: "selected", of: model, options: .init(transformer: brightness)),
      try red.bind("value", to: "red", of: model, options: .twoWay),
      try swatch.bind("color", to: "selected", of: model),
    ]
  }

  @Test("CTL.1: at first the model counts: the sliders stand at zero, and all is black")
  func loading() throws {
    _ = try bind()
    #expect(shown == Color())
    #expect(model.title == "Black" && swatch.color == Color())
  }

  @Test("CTL.1: sliders change the model, and what depends on it follows")
  func dragging() throws {
    _ = try bind()
    red.drag(to: 0.9)
    #expect(model.red == 0.9 && swatch.color == Color(red: 0.9) && model.title == "Dark")
    green.drag(to: 1)
    blue.drag(to: 1)
    #expect(model.title == "White" && swatch.color == model.selected)
  }

  @Test("CTL.1: choosing a favourite moves the sliders")
  func choosing() throws {
    _ = try bind()
    red.drag(to: 0.25)
    try model.mutableArray(forKeyPath: "favorites").insert(model.selected, at: 0)
    red.drag(to: 1)
    model.selected = model.favorites[0]
    #expect(red.value == 0.25 && model.title == "Black" && swatch.color == Color(red: 0.25))
    model.selected = Color(red: 0.5, green: 0.5, blue: 0.5)
    #expect(shown == model.selected && model.title == "Bright")
  }

  @Test("CTL.1: unbinding leaves everything as it is")
  func unbinding() throws {
    for binding in try bind() { binding.cancel() }
    red.drag(to: 1)
    #expect(model.red == 0 && red.handlers.isEmpty && KVDiagnostics.observations(of: model).isEmpty)
    model.green = 1
    #expect(green.value == 0 && swatch.color == Color())
  }
}
