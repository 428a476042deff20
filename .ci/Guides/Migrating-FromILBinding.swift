import Foundation

struct PickedColor: Equatable { var red = 0.0, green = 0.0, blue = 0.0 }
nonisolated(unsafe) let (picker, screen) = (ColorPicker(), PickerScreen())
let directory = URL(filePath: "/tmp")
