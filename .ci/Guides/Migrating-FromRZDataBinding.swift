import Foundation
import KVBinding

struct Swatch: Equatable { init(hex: UInt32) {} }
