import Foundation

let (data, url) = (Data(), URL(filePath: "/tmp/a.json"))
nonisolated(unsafe) let config = KVObject()
