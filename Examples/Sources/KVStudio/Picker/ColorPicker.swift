import KVBinding

/// The model: a colour.
@KVModel final class ColorPicker: KVObject {
  @KVKey(.validated(by: checkPart)) var red = 0.0
  @KVKey(.validated(by: checkPart)) var green = 0.0
  @KVKey(.validated(by: checkPart)) var blue = 0.0

  var selectedColor: PickerColor {
    get { PickerColor(red: red, green: green, blue: blue) }
    set { (red, green, blue) = (newValue.red, newValue.green, newValue.blue) }
  }

  /// The colour as a text.
  ///
  /// A text that is no colour is refused by validation, and ignored by the setter.
  @KVKey(.validated(by: checkHex)) var hex: String {
    get { selectedColor.hex }
    set { if let color = PickerColor(hex: newValue) { selectedColor = color } }
  }

  func checkPart(_ part: Double) throws -> KVValidation {
    guard part >= 0, part <= 1 else { throw KVError(.invalidValue, "A part of a colour is a number from 0 to 1.") }
    return .valid
  }

  func checkHex(_ text: String) throws -> KVValidation {
    guard let color = PickerColor(hex: text) else {
      throw KVError(.invalidValue, "\"\(text)\" is not a colour. Write # and six hexadecimal digits, such as #FF8800.")
    }
    return color.hex == text ? .valid : .replaced(with: color.hex)
  }

  /// Makes the transformer that the definitions name, once.
  static func registerTransformers() {
    let name = "ILBindingsTestBrightnessStringTransformer"
    guard !KVTransformer.registeredNames.contains(name) else { return }
    let brightness = KVTransformer(name) { (color: PickerColor) in color.brightness }
    try? KVTransformer.register(brightness, named: name)
  }
}
