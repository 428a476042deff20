import Foundation
import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

private struct Null: NullValue {}

@Suite("UND records")
struct UndoRecordTests {
  private let record: KVRecord = [
    "title": "Blue", "year": 1959, "artist": ["name": "Miles", "band": ["name": "Quintet"]],
    "tracks": [["title": "1"], ["title": "2"]],
  ]
  private let undo = KVUndoManager()

  private func isRecorded(_ object: KVRecord) -> Bool { !KVDiagnostics.observations(of: object).isEmpty }

  @Test("UND.1: all keys of a record are recorded, also those that it gets later")
  func keys() throws {
    try undo.record(record)
    record.title = nil
    record.year = 1960
    record.other = 1
    record["third key"] = [1]
    try record.mutableArray(forKey: "third key").append(2)
    record.other = nil
    record.other = "again"
    record.missing = nil
    #expect(undo.undoCount == 7)
    while try undo.undo() {}
    #expect(record.keys == ["artist", "title", "tracks", "year"] && record.title as? String == "Blue")
    while try undo.redo() {}
    #expect(record.keys == ["artist", "other", "third key", "tracks", "year"] && record.other as? String == "again")
    #expect(record["third key"] as? [Int] == [1, 2])
  }

  @Test("UND.1: of the records in a recorded list, values that are no records are no fault")
  func elements() throws {
    let added: KVRecord = ["title": "3", "tags": ["slow", 1] as [Any], "parts": [["from": 1]], "at": ["x": 1]]
    let events = try capturingEvents {
      try undo.recordElements(of: "tracks", in: record)
      try record.mutableArray(forKey: "tracks").append(added)
      try record.setValue(7, forKeyPath: "tracks[2].parts[0].from")
      try record.setValue("III", forKeyPath: "tracks[2].title")
    }
    let reported = try #require(record.tracks as? [KVRecord]).flatMap { events.about($0) }
    #expect(reported.map(\.message) == [] && undo.undoCount == 3)
    while try undo.undo() {}
    #expect(try record.value(forKeyPath: "tracks.@count", as: Int.self) == 2)
  }

  @Test("UND.1: keys that are named are recorded, and no others")
  func named() throws {
    try undo.record(record, keys: ["title", "later", "artist.band.name"])
    record.other = 1
    record.later = 1
    try record.setValue("Trio", forKeyPath: "artist.band.name")
    try record.setValue("Bill", forKeyPath: "artist.name")
    #expect(undo.undoCount == 2)
    while try undo.undo() {}
    #expect(record.later == nil && record.other as? Int == 1)
    #expect(try record.value(forKeyPath: "artist.band.name") as? String == "Quintet")
  }

  @Test("UND.1: the records in a record are recorded, and those in its arrays, whatever brings them")
  func nested() throws {
    try undo.record(record)
    let before = record.dictionary as NSDictionary
    try record.setValue("Trio", forKeyPath: "artist.band.name")
    let tracks = record.mutableArray(forKey: "tracks")
    try tracks.append(["title": "3", "parts": [["from": 1]]] as KVRecord)
    try record.setValue("III", forKeyPath: "tracks[2].title")
    try record.setValue(7, forKeyPath: "tracks[2].parts[0].from")
    let first = try #require(record.value(forKeyPath: "tracks[0]") as? KVRecord)
    first.composer = ["name": "Miles"]
    try record.setValue("Bill", forKeyPath: "tracks[0].composer.name")
    try tracks.remove(at: 0)
    #expect(!isRecorded(first) && undo.undoCount == 7)
    record.label = ["name": "Columbia"]
    try record.setValue("CBS", forKeyPath: "label.name")
    let after = record.dictionary as NSDictionary
    #expect(undo.undoCount == 9)
    while try undo.undo() {}
    #expect(record.dictionary as NSDictionary == before && isRecorded(first))
    while try undo.redo() {}
    #expect(record.dictionary as NSDictionary == after)
  }

  @Test("UND.1: a null that becomes a value is recorded, and is null again")
  func nulls() throws {
    try undo.record(record)
    record.nothing = Null()
    record.nothing = 1
    #expect(undo.undoCount == 1)
    try undo.undo()
    #expect(record.keys.contains("nothing") && record.nothing == nil)
  }

  @Test("UND.16: a record in a tree brings its records along, but other objects only by relationships")
  func tree() throws {
    let (root, part) = (UndoPart("root"), UndoPart("part"))
    root.notes = record
    record.part = part
    record.cover = part
    try undo.record(tree: root, relationships: ["notes"])
    try record.setValue("Trio", forKeyPath: "artist.band.name")
    part.name = "not recorded"
    #expect(undo.undoCount == 1)
    undo.stopRecording(root)
    try undo.record(tree: root, relationships: ["notes", "cover"])
    part.name = "P"
    #expect(undo.undoCount == 2)
    record.cover = nil
    part.name = "nor is this"
    let other = UndoPart("other")
    record.other = [1, other, ["x": 1] as KVRecord]
    try record.setValue(2, forKeyPath: "other[2].x")
    other.name = "not recorded"
    #expect(undo.undoCount == 5)
    while try undo.undo() {}
    #expect(record.cover as? UndoPart === part && part.name == "not recorded" && record.other == nil)
    undo.stopRecording(root)
    try undo.record(tree: record)
    record.title = "Green"
    #expect(undo.canUndo)
  }

  @Test("UND.16: records that contain each other end")
  func cycle() throws {
    let other: KVRecord = ["title": "other"]
    record.other = other
    other.owner = record
    try undo.record(record)
    other.title = "O"
    record.other = nil
    #expect(!isRecorded(other) && undo.undoCount == 2)
    while try undo.undo() {}
    #expect(other.title as? String == "other")
    other.owner = nil
  }

  @Test("UND.8: a key that comes without being recorded is recorded from then on")
  func paused() throws {
    try undo.record(record)
    undo.withoutRecording { record.later = ["x": 1] }
    record.later = 2
    #expect(undo.undoCount == 1)
    try undo.undo()
    try record.setValue(2, forKeyPath: "later.x")
    #expect(undo.undoCount == 1)
  }

  @Test("UND.4: a key that a failed transaction has added is gone")
  func transaction() throws {
    struct Failure: Error {}
    try undo.record(record)
    #expect(throws: Failure.self) {
      try KVTransaction.run {
        try record.setValue(["x": 1], forKey: "later")
        throw Failure()
      }
    }
    #expect(!undo.canUndo && record.later == nil)
    record.later = 1
    #expect(undo.undoCount == 1)
  }

  @Test("UND.14: a key that comes off the executor is reported and not recorded")
  func threads() throws {
    let executor = KVManualExecutor()
    let undo = KVUndoManager(on: executor)
    let shared = KVUncheckedSendable(record)
    let manager = KVUncheckedSendable(undo)
    executor.enqueue { try? manager.value.record(shared.value) }
    executor.runAll()
    let events = capturingEvents { record.later = 1 }.about(record)
    #expect(
      events.map(\.message) == [
        """
        a change of "later" of KVRecord was made off the executor of its undo manager, and is not recorded. Make it there.
        """
      ])
    #expect(!undo.canUndo)
  }

  @Test("UND.12: what records the keys of a record ends with the manager, and with the record")
  func lifetimes() throws {
    weak var manager: KVUndoManager?
    weak var dead: KVRecord?
    do {
      let undo = KVUndoManager()
      manager = undo
      try undo.record(record)
      let other: KVRecord = ["x": ["y": 1]]
      dead = other
      try undo.record(other)
      other.z = 1
    }
    #expect(manager == nil && dead == nil && !isRecorded(record))
    record.later = 1
  }
}
