import KVBinding
import KVControllers
import TestModels
import Testing

extension BindingMistakes {
  static let undo: [BindingMistake] = [
    BindingMistake(
      "Recording a key that never notifies", #"try undo.record(song, keys: ["plays"])"#,
      "`record(song)` records all keys that can be set and observed. An edit that is no key is registered: "
        + "`register(_:undo:redo:)`."
    ) {
      try KVUndoManager().record(Song(), keys: ["plays"])
    } cure: {
      let (manager, song) = (KVUndoManager(), Song())
      song.plays = 1
      manager.register(song) {
        $0.plays = 0
      } redo: {
        $0.plays = 1
      }
      check(try manager.undo() && song.plays == 0)
    },
    BindingMistake(
      "Recording a key that cannot be set", #"try undo.record(song, keys: ["summary"])"#,
      "What it depends on is recorded."
    ) {
      try KVUndoManager().record(Song(), keys: ["summary"])
    } cure: {
      let (manager, song) = (KVUndoManager(), Song())
      try manager.record(song, keys: ["title", "year"])
      song.year = 1
      check(try manager.undo() && song.summary == "So What, 1959")
    },
    BindingMistake(
      "Undo in a group", #"try undo.group("Import") { try undo.undo() }"#,
      "A group is one step, which has not ended yet."
    ) {
      let (manager, song) = (KVUndoManager(), Song())
      try manager.record(song)
      song.year = 1
      try manager.group("Import") {
        song.year = 2
        try manager.undo()
      }
    } cure: {
      let (manager, song) = (KVUndoManager(), Song())
      try manager.record(song)
      manager.group("Import") {
        song.year = 1
        song.year = 2
      }
      check(try manager.undo() && song.year == 1959)
    },
  ]
}
