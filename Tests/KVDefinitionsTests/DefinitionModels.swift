import Foundation
import KVBinding
import KVCore
import KVDefinitions
import TestModels

/// The controller of the colour picker of Bindings for iOS, as far as its bindings go.
final class ColorPicker: KVObject {
  @KVProperty var red = 0.0
  @KVProperty var green = 0.0
  @KVProperty var blue = 0.0
  @KVProperty var title: String?
  @KVProperty var missing: Slider?
  let redSlider = Slider()
  let greenSlider = Slider()
  let blueSlider = Slider()
  let colorDisplayView = Swatch()

  var selectedColor: [Double] {
    get { [red, green, blue] }
    set { (red, green, blue) = (newValue[0], newValue[1], newValue[2]) }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ColorPicker.self) { key in
      key("red", \.red)
      key("green", \.green)
      key("blue", \.blue)
      key("title", \.title)
      key("missing", \.missing)
      key("redSlider", \.redSlider)
      key("greenSlider", \.greenSlider)
      key("blueSlider", \.blueSlider)
      key("colorDisplayView", \.colorDisplayView)
      key("selectedColor", \.selectedColor).affected(by: "red", "green", "blue")
    }
  }

  /// The transformer that the original finds by the name of its class.
  static let brightness = KVTransformer("brightness") { (color: [Double]) -> String in
    switch color.reduce(0, +) / 3 {
    case ..<0.1: "Black"
    case ..<0.5: "Dark"
    case ..<0.9: "Bright"
    default: "White"
    }
  }

  /// The file of the original, built here.
  static func file(format: PropertyListSerialization.PropertyListFormat = .binary) throws -> Data {
    let bindings = PickerFile.bindings(transformerName: "ILBindingsTestBrightnessStringTransformer")
    return try PropertyListSerialization.data(
      fromPropertyList: ["ILBindings": bindings], format: format, options: 0)
  }
}

final class Slider: KVObject {
  @KVProperty var value = 0.5

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Slider.self) { key in key("value", \.value) }
  }
}

final class Swatch: KVObject {
  @KVProperty var backgroundColor: [Double] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Swatch.self) { key in key("backgroundColor", \.backgroundColor) }
  }
}

/// A directory of its own, which is removed in the end.
final class Scratch {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("definitions-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}

/// Random definitions: the same seed gives the same ones.
struct RandomDefinitions {
  var random: SplitMix64

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func definitions() -> KVBindingDefinitions {
    var keys: Set<String> = []
    return KVBindingDefinitions(
      (0..<random.below(6)).map { _ in
        var definition = definition()
        if let key = definition.key, !keys.insert(key).inserted { definition.key = nil }
        return definition
      })
  }

  private mutating func definition() -> KVBindingDefinition {
    KVBindingDefinition(
      key: maybe { $0.text() }, path(), ofSource: maybe { $0.path() }, to: path(), ofTarget: maybe { $0.path() },
      direction: one(of: KVBindingDirection.allCases), transformerName: maybe { $0.text() },
      initialSync: one(of: KVInitialSync.allCases), nullPlaceholder: maybe { $0.scalar() },
      fallback: maybe { $0.scalar() }, validates: random.below(2) == 0, skipsEqual: random.below(2) == 0,
      trigger: one(of: KVUpdateTrigger.allCases))
  }

  private mutating func maybe<Value>(_ make: (inout RandomDefinitions) -> Value) -> Value? {
    random.below(2) == 0 ? nil : make(&self)
  }

  private mutating func one<Value>(of values: [Value]) -> Value { values[random.below(values.count)] }

  mutating func text() -> String {
    let parts = [
      "a", "Z", "é", "e\u{301}", "👩‍🚀", " ", "\n", "\t", "\"", "\\", "<&>", "]]>", "ß", "\u{2028}", "0", "/", "'",
    ]
    return (0...random.below(6)).map { _ in one(of: parts) }.joined()
  }

  private mutating func path() -> KVKeyPath {
    var components: [KVKeyPath.Component] = [.key(one(of: ["volume", "größe", "a b", "self", "x"]))]
    for _ in 0..<random.below(3) {
      components.append(
        one(of: [.key("name"), .index(random.below(9)), .entry(text()), .operator("count", argument: nil)]))
      if case .operator = components.last { break }
    }
    return (try? KVKeyPath(components: components)) ?? "fallback"
  }

  private mutating func scalar() -> KVBindingScalar {
    switch random.below(6) {
    case 0: KVBindingScalar(booleanLiteral: random.below(2) == 0)
    case 1: KVBindingScalar(integerLiteral: Int(truncatingIfNeeded: random.next()))
    case 2: KVBindingScalar(integerLiteral: random.below(3) - 1)
    case 3: KVBindingScalar(Double(bitPattern: random.next())) ?? 0.5
    case 4: KVBindingScalar(Double(random.below(1000)) / 8) ?? 0
    default: KVBindingScalar(stringLiteral: random.below(3) == 0 ? "" : text())
    }
  }
}
