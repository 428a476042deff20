import Foundation

nonisolated(unsafe) var songs: [Song] = []
nonisolated(unsafe) let library = Library()
nonisolated(unsafe) let section = KVObservingListSection<Song>()
nonisolated(unsafe) let row = 3
nonisolated(unsafe) let table = Table()
nonisolated(unsafe) let box = Box()
let (first, typed, prefix) = (1990, "blue", "b")
let filters: [(title: String, predicate: KVPredicate)] = []
func show(_ songs: [Song]) {}

final class Table { func patch(_ kind: KVChangeKind, at indexes: [Int]?) {} }

final class Box {
  var text = ""
  func mark(at offset: Int?) {}
  func note(_ text: String) {}
}
