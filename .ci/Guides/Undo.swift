import Foundation

nonisolated(unsafe) let song = Song()
nonisolated(unsafe) let list = KVArrayController { Song() }
nonisolated(unsafe) let (importer, form, canvas) = (Importer(), Form(), Canvas())
nonisolated(unsafe) let undoItem = Item()
let url = URL(filePath: "/tmp/library")

final class Importer { func run(into library: Library) throws {} }
final class Form { func apply(to song: Song) throws {} }
final class Canvas { func rotate(by angle: Int) {} }
@KVModel final class Item: KVObject {
  var title = ""
  var isEnabled = false
}
extension Library {
  func load(_ url: URL) throws {}
  func save(to url: URL) throws {}
}

//@ in key("songs", \.songs).metadata
final class Bibliothek: KVObject {
  @KVProperty var songs: [Song] = []
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Bibliothek.self) { key in
//@block
}}}
