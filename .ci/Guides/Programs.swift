nonisolated(unsafe) let (model, window, cell, label, bar) = (KVObject(), KVObject(), KVNode(), KVNode(), KVNode())
let definitions: [KVBindingDefinition] = []
let percent = KVTransformer.isNil
nonisolated(unsafe) let (field, controller) = (KVObject(), KVArrayController<KVRecord>())
let (order, filter, year): ([KVSortDescriptor], KVPredicate, KVTransformer) = ([], "TRUEPREDICATE", .isNil)
func send(_ kind: KVChangeKind, _ indexes: [Int]?) {}
func send(_ kind: KVChangeKind, _ paths: [KVIndexPath]) {}
@KVModel final class OutlineNode: KVObject {
  var children: [OutlineNode] = []
  var isLeaf = false
}
nonisolated(unsafe) let undo = KVUndoManager()
nonisolated(unsafe) let (node, value) = (KVTreeController<OutlineNode>().arrangedObjects, OutlineNode())
let path: KVIndexPath = [0]
nonisolated(unsafe) let (people, row): ([KVObject], Int) = ([], 0)

//@ skip import KVInspector
// A library of Examples, whose tests register objects.
//@ skip print(try KVInspector
// A library of Examples.
//@ skip let server = try StudioServer
// A library of Examples.
//@ skip .target(name: "KVInspector"
// A part of Package.swift.
//@ skip .package(path: "../swift-key-value")
// A part of Package.swift.
