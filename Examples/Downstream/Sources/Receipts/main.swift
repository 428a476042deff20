import Foundation
import KVCore
import KVDocuments

let document = try KVDocument(data: Data(#"{"items": [{"cents": 450}, {"cents": 1800}]}"#.utf8))
print(try KVC.value(of: document.root as Any, forKeyPath: "items.@sum.cents", as: Int.self))
let receipt = try KVRecord(document)
receipt["paid"] = true
print(String(decoding: try KVDocument(receipt).data(), as: UTF8.self))
// Conversions are found at run time, also if the program links a plain archive (.ci/archive.py).
print(try KVC.convert("2026-11-22T07:20:00Z", to: Date.self, lenient: true), try KVC.convert(2.5, to: CGFloat.self))
print(try KVC.convert("12.50", to: Decimal.self, lenient: true), try KVC.convert("a/b", to: URL.self, lenient: true))
