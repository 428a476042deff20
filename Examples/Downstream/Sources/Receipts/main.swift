import Foundation
import KVCore
import KVDocuments

let document = try KVDocument(data: Data(#"{"items": [{"cents": 450}, {"cents": 1800}]}"#.utf8))
print(try KVC.value(of: document.root as Any, forKeyPath: "items.@sum.cents", as: Int.self))
let receipt = try KVRecord(document)
receipt["paid"] = true
print(String(decoding: try KVDocument(receipt).data(), as: UTF8.self))
