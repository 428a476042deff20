import Foundation

struct Swatch: Equatable { init(hex: UInt32) {} }
