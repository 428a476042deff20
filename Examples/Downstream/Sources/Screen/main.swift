import Foundation
import KVBinding
import KVDefinitions

let (basket, screen): (KVRecord, KVRecord) = (["total": 450], ["text": ""])
let definition = KVBindingDefinition(key: "total", "total", to: "text")
let set = try KVBindingSet([definition], owner: basket, target: screen)
basket["total"] = 2250
print(set.binding(forKey: "total")?.state ?? "none", screen["text"] ?? "nil")
print(String(decoding: try KVBindingDefinitions([definition]).data(), as: UTF8.self))
