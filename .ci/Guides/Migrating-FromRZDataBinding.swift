import Foundation
import KVBinding
import KVDocuments

struct Swatch: Equatable { init(hex: UInt32) {} }
