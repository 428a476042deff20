import Foundation
import KVBinding
import KVDocuments

let (data, url) = (Data(), URL(filePath: "/tmp/a.json"))
nonisolated(unsafe) let config = KVObject()
