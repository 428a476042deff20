import KVControllers

let undo = KVUndoManager()
let (library, shelf): (KVRecord, KVArrayController<KVRecord>) = (["songs": [] as [KVRecord]], KVArrayController())
shelf.sortDescriptors = ["title"]
shelf.automaticallyRearrangesObjects = true
try shelf.bindContent(to: "songs", of: library)
try undo.recordElements(of: "songs", in: library)
try undo.group("Add") {
  try shelf.add(["title": "So What"])
  try shelf.add(["title": "Blue in Green"])
}
print(shelf.arrangedObjects.map { $0["title"] ?? "nil" }, undo.undoMenuTitle)
try undo.undo()
print(shelf.arrangedObjects.count)
