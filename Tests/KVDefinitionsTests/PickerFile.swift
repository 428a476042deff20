/// What the file of the colour picker of Bindings for iOS holds.
enum PickerFile {
  /// The five bindings, in the order of the file.
  static func bindings(transformerName: String) -> [[String: Any]] {
    [
      ["SourceKeyPath": "blue", "PathToTarget": "blueSlider", "TargetKeyPath": "value", "Direction": 0],
      ["SourceKeyPath": "green", "PathToTarget": "greenSlider", "TargetKeyPath": "value", "Direction": 0],
      [
        "SourceKeyPath": "selectedColor", "TargetKeyPath": "title", "Direction": 1,
        "ValueTransformerName": transformerName,
      ],
      ["SourceKeyPath": "red", "PathToTarget": "redSlider", "TargetKeyPath": "value", "Direction": 0],
      [
        "SourceKeyPath": "selectedColor", "PathToTarget": "colorDisplayView", "TargetKeyPath": "backgroundColor",
        "Direction": 1,
      ],
    ]
  }
}
