import Foundation
import KVBinding

let resources = URL(filePath: "/tmp")
nonisolated(unsafe) let controller = KVObject()
