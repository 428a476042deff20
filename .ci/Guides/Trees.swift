nonisolated(unsafe) let (cell, label, square, view) = (FruitCell(), KVNode(), KVNode(), KVNode())
nonisolated(unsafe) let fruit = KVObject()
let dictionary: [String: String] = [:]
final class FruitCell: KVNode {}
final class Window: KVNode {}
