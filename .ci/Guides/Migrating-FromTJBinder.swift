import Foundation

nonisolated(unsafe) let (apple, kiwi, root, holder) = (Fruit(), Fruit(), KVNode(), KVObject())
nonisolated(unsafe) let (image, clearing) = (ImageView(), KVNode())
