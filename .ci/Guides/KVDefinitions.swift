import Foundation

let resources = URL(filePath: "/tmp")
nonisolated(unsafe) let controller = KVObject()
