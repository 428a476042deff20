import Foundation
import GRDB
import KVControllers
import KVGRDB
import Testing

@MainActor @Suite("Rows of a database are the content of an array controller", .timeLimit(.minutes(1)))
struct KVGRDBTests {
  let database: DatabaseQueue
  let undo = KVUndoManager()
  let songs: TableRows<Song>
  let list = KVArrayController { Song("new") }

  init() throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    database = try DatabaseQueue(configuration: configuration)
    try database.write { db in try db.execute(sql: schema) }
    songs = try TableRows(of: "song", in: database, undo: undo) { Song() }
    try list.bindContent(to: "rows", of: songs)
  }

  /// What the database has.
  private var stored: [String] {
    get throws {
      try database.read { db in
        try Row.fetchAll(db, sql: "SELECT * FROM song ORDER BY id").map {
          "\($0["id"] as Int64) \($0["title"] as String) \($0["year"] as Int? ?? 0)"
        }
      }
    }
  }

  private var unsaved: [ObjectIdentifier] { songs.unsaved.map(ObjectIdentifier.init) }

  private var titles: [String] { list.arrangedObjects.map(\.title) }

  private func execute(_ sql: String) throws { try database.write { db in try db.execute(sql: sql) } }

  private func until(_ condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// Waits until all changes of the database so far have arrived.
  private func settle() async throws {
    let title = "settled \(songs.rows.count)"
    try execute("INSERT INTO song (title) VALUES ('\(title)')")
    try await until { titles.contains(title) }
    try execute("DELETE FROM song WHERE title = '\(title)'")
    try await until { !titles.contains(title) }
  }

  // MARK: Reading

  @Test("Rows are objects, whose keys are the columns of their names")
  func reading() throws {
    #expect(songs.rows.map(\.id) == [1, 2, 3])
    #expect(list.arrangedObjects.map(\.label) == ["So What (1959)", "Naima (1960)", "Nardis (-)"])
    #expect(!undo.canUndo && songs.unsaved.isEmpty)
  }

  @Test("A change of the database changes the keys that differ, of the same objects")
  func externalUpdate() async throws {
    let before = songs.rows
    var changes: [String] = []
    let tokens = try before.map { song in try song.observeAll { changes.append("\($0.keyPath) \($0.new ?? "-")") } }
    var rows = 0
    let token = try list.observe("arrangedObjects") { _ in rows += 1 }
    try execute("UPDATE song SET year = 1961 WHERE id = 2")
    try await until { before[1].year == 1961 }
    try await settle()
    #expect(changes == ["year 1961", "label Naima (1961)"])
    #expect(songs.rows.elementsEqual(before, by: ===) && rows == 2)
    #expect(!undo.canUndo)
    withExtendedLifetime((tokens, token)) {}
  }

  @Test(
    "Rows that come and go are insertions and removals by index, and the others keep their objects and their selection")
  func externalRows() async throws {
    let before = songs.rows
    try list.select(before[2])
    var changes: [String] = []
    let token = try list.observe("arrangedObjects") { changes.append("\($0.kind) \($0.indexes ?? [])") }
    try execute("DELETE FROM song WHERE id = 2; INSERT INTO song (id, title) VALUES (9, 'Blue'), (0, 'Green')")
    try await until { titles.contains("Blue") }
    #expect(titles == ["So What", "Nardis", "Green", "Blue"])
    #expect(changes == ["removal [1]", "insertion [2, 3]"])
    #expect(songs.rows[0] === before[0] && songs.rows[1] === before[2])
    #expect(list.selectedObjects.first === before[2])
    #expect(!undo.canUndo)
    withExtendedLifetime(token) {}
  }

  @Test("Columns have the types of their keys, as GRDB converts them")
  func types() async throws {
    try execute(
      """
      CREATE TABLE plan (key TEXT PRIMARY KEY, day DATETIME, isDone BOOLEAN, weight DOUBLE, level TEXT, note TEXT, more TEXT);
      INSERT INTO plan VALUES ('a', '2026-11-22 07:20:00', 1, 2, 'high', ' x ', 'no key');
      """)
    let plans = try TableRows(of: "plan", in: database) { Plan() }
    let plan = plans.rows[0]
    #expect(
      plan.day == Date(timeIntervalSince1970: 1_795_332_000) && plan.isDone && plan.weight == 2 && plan.level == .high)
    #expect(plan.note == "x" && plans.unsaved.isEmpty)  // the setter of the model trims it
    plan.day = plan.day.addingTimeInterval(0.5)
    plan.level = .low
    try execute("UPDATE plan SET isDone = 0, note = ' y '")
    try await until { !plan.isDone }
    #expect(plan.note == "y")
    let row = try await database.read {
      try Row.fetchOne($0, sql: "SELECT day, level, note, weight FROM plan")?.description
    }
    #expect(row == "[day:\"2026-11-22 07:20:00.500\" level:\"low\" note:\" y \" weight:2.0]")
    #expect(plans.unsaved.isEmpty && plans.lastError == nil)
  }

  @Test("A handler of a change of the database may edit the object, which is written")
  func response() async throws {
    let song = songs.rows[0]
    let token = try song.observe("title") { _ in song.year = 1 }
    try execute("UPDATE song SET title = 'x' WHERE id = 1")
    try await until { song.year == 1 }
    #expect(try stored[0] == "1 x 1" && songs.unsaved.isEmpty)
    try await settle()
    #expect(song.label == "x (1)" && songs.unsaved.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("A handler of rows that come and go may edit the rows, which is written")
  func rowResponse() async throws {
    var responses = 0
    let token = try songs.observe("rows", options: []) { [songs, list] _ in
      if responses == 0, songs.rows.count == 4 {
        responses = 1
        try? list.add(Song("response"))
      } else if responses == 1, songs.rows.count == 2 {
        responses = 2
        try? list.remove(at: [0])
      }
    }
    try execute("INSERT INTO song (title) VALUES ('theirs')")
    try await until { titles.contains("response") }
    #expect(try stored.suffix(2) == ["4 theirs 0", "5 response 1959"])
    try execute("DELETE FROM song WHERE id > 2")
    try await until { titles == ["Naima"] }
    #expect(try stored == ["2 Naima 1960"] && songs.lastError == nil && songs.unsaved.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("A value that a key cannot have is an error that names the row and the column, and nothing changes")
  func wrongType() async throws {
    try execute("UPDATE song SET title = 'x' WHERE id = 1; UPDATE song SET year = 'late' WHERE id = 2")
    try await until { songs.lastError != nil }
    #expect(songs.lastError?.message == "song 2: \"year\" is \"late\", which is not a value of type Int.")
    #expect(titles == ["So What", "Naima", "Nardis"])
    try execute("UPDATE song SET year = 7 WHERE id = 2")
    try await until { titles[0] == "x" && songs.rows[1].year == 7 }
  }

  // MARK: Writing

  @Test("An edit of a field that is bound to the selection is written, and notifies once")
  func editing() async throws {
    let field = Field()
    try field.bind(
      "text", to: "selection.title", of: list, options: .init(.twoWay, noSelection: "", trigger: .onCommit))
    try list.select(songs.rows[1])
    var notified = 0
    let token = try songs.rows[1].observe("title") { _ in notified += 1 }
    field.text = "Naima 2"
    #expect(try stored[1] == "2 Naima 1960")
    try list.commitEditing()
    #expect(try stored[1] == "2 Naima 2 1960")
    try await settle()
    #expect(notified == 1 && field.text == "Naima 2" && songs.lastError == nil)
    withExtendedLifetime(token) {}
  }

  @Test("The notification of an edit writes nothing, and reading again changes nothing: there is no loop")
  func noLoop() async throws {
    let before = try await database.read { $0.totalChangesCount }
    songs.rows[0].title = "a"
    songs.rows[0].title = "b"
    #expect(try stored[0] == "1 b 1959")
    var titles: [String] = []
    let token = try songs.rows[0].observe("title") { titles.append("\($0.new ?? "-")") }
    songs.rows[0].title = "c"
    try await settle()
    #expect(titles == ["c"])
    #expect(try await database.read { $0.totalChangesCount } == before + 3 + 2)
    withExtendedLifetime(token) {}
  }

  @Test("Adding, inserting and removing by the controller insert and delete rows, and the object gets its primary key")
  func rows() async throws {
    try list.add()
    let new = try #require(songs.rows.last)
    #expect(new.id == 4)
    let first = Song("first")
    try list.insert(first, at: 0)
    #expect(first.id == 5)
    try list.remove(songs.rows[2])
    #expect(try stored == ["1 So What 1959", "3 Nardis 0", "4 new 1959", "5 first 1959"])
    try await settle()
    #expect(titles == ["first", "So What", "Nardis", "new"])
    #expect(songs.rows.last === new)
  }

  @Test("A transaction of the library that fails restores the rows as well")
  func transaction() throws {
    #expect(throws: KVError.self) {
      try KVTransaction.run {
        try songs.rows[0].setValue("x", forKey: "title")
        try songs.rows[0].setValue("y", forKey: "nonsense")
      }
    }
    #expect(throws: KVError.self) {
      try KVTransaction.run {
        try songs.mutableArray(forKey: "rows").append(Song("new"))
        try songs.mutableArray(forKey: "rows").remove(at: 0)
        try songs.rows[0].setValue("y", forKey: "nonsense")
      }
    }
    #expect(titles == ["So What", "Naima", "Nardis"])
    #expect(try stored == ["1 So What 1959", "2 Naima 1960", "3 Nardis 0"])
    #expect(songs.lastError == nil && songs.unsaved.isEmpty)
    #expect(!undo.canUndo)
  }

  // MARK: Refused writes

  @Test("An edit that the database refuses stays in the object and is told, and the next edit writes all of it")
  func refusedEdit() async throws {
    var errors: [String] = []
    songs.onError = { errors.append("\($1?.id ?? 0): \($0.message)") }
    let song = songs.rows[1]
    song.title = "So What"
    #expect(errors == ["2: song 2: title cannot be written: UNIQUE constraint failed: song.title."])
    #expect(songs.lastError?.underlying is DatabaseError)
    song.year = 1970
    #expect(errors.count == 2 && song.title == "So What" && unsaved == [ObjectIdentifier(song)])
    #expect(throws: KVError.self) { try songs.save(song) }
    try await settle()
    #expect(song.title == "So What" && song.year == 1970)
    #expect(try stored[1] == "2 Naima 1960")
    song.title = "Naima 2"
    #expect(try stored[1] == "2 Naima 2 1970")
    #expect(songs.lastError == nil && songs.unsaved.isEmpty)
  }

  @Test("Reverting gives an object what the database has")
  func revert() throws {
    let song = songs.rows[1]
    song.title = "So What"
    song.year = 1970
    try songs.revert(song)
    #expect(song.label == "Naima (1960)" && songs.unsaved.isEmpty && songs.lastError == nil)
    #expect(try stored[1] == "2 Naima 1960")
  }

  @Test("An insertion that the database refuses stays, and is inserted when it is corrected")
  func refusedInsertion() async throws {
    let song = Song("Naima")
    try list.add(song)
    #expect(songs.lastError?.message == "song: a new row cannot be inserted: UNIQUE constraint failed: song.title.")
    try await settle()
    #expect(titles.last == "Naima" && song.id == nil && unsaved == [ObjectIdentifier(song)])
    song.title = "Naima 2"
    #expect(song.id == 4 && songs.lastError == nil)
    #expect(try stored.last == "4 Naima 2 1959")
  }

  @Test("A refused insertion that is reverted leaves the rows")
  func revertedInsertion() throws {
    let song = Song("Naima")
    try list.add(song)
    try songs.revert(song)
    #expect(titles == ["So What", "Naima", "Nardis"])
  }

  @Test("A removal that the database refuses is taken back, at the same indexes")
  func refusedRemoval() async throws {
    let before = songs.rows
    try execute("INSERT INTO play (song) VALUES (1)")
    list.selectionIndexes = [0, 1]
    try list.remove()
    #expect(songs.lastError?.message == "song 1, song 2 cannot be deleted: FOREIGN KEY constraint failed.")
    #expect(songs.rows.elementsEqual(before, by: ===))
    #expect(list.arrangedObjects.elementsEqual(before, by: ===))
    #expect(try stored.count == 3)
    #expect(!undo.canUndo)
    songs.rows[1].year = 1
    #expect(try stored[1] == "2 Naima 1")
  }

  @Test("A column that changes in the database below an unsaved edit leaves the edit, and changes the other keys")
  func conflict() async throws {
    let song = songs.rows[1]
    song.title = "So What"
    try execute("UPDATE song SET title = 'theirs', year = 3 WHERE id = 2")
    try await until { song.year == 3 }
    #expect(song.title == "So What" && unsaved == [ObjectIdentifier(song)])
    song.title = "mine"
    #expect(try stored[1] == "2 mine 3")
  }

  @Test("A change of the database while a field has an edit of the column leaves the edit, whose commit is written")
  func changedWhileEdited() async throws {
    let field = Field()
    let options = KVBindingOptions(.twoWay, noSelection: "", trigger: .onCommit)
    try field.bind("text", to: "selection.title", of: list, options: options)
    try list.select(songs.rows[1])
    field.text = "mine"
    try execute("UPDATE song SET title = 'theirs' WHERE id = 2")
    try await until { songs.rows[1].title == "theirs" }
    #expect(field.text == "mine" && list.isEditing)
    try list.commitEditing()
    #expect(try stored[1] == "2 mine 1960")
  }

  // MARK: Undo

  @Test("Undo and redo of an edit are written")
  func undoEdit() async throws {
    songs.rows[0].title = "x"
    #expect(undo.undoMenuTitle == "Undo Change title")
    try await settle()
    try undo.undo()
    #expect(try stored[0] == "1 So What 1959")
    try undo.redo()
    #expect(try stored[0] == "1 x 1959")
    #expect(undo.undoCount == 1)
  }

  @Test("Undo of a removal inserts the row with its primary key and its object, and redo deletes it")
  func undoRemoval() async throws {
    let naima = songs.rows[1]
    try list.remove(at: [1])
    #expect(undo.undoMenuTitle == "Undo Remove song")
    try await settle()
    try undo.undo()
    #expect(try stored[1] == "2 Naima 1960")
    #expect(list.arrangedObjects[1] === naima)
    naima.year = 5
    #expect(try stored[1] == "2 Naima 5")
    try undo.undo()
    try undo.redo()
    try undo.undo()
    #expect(try stored[1] == "2 Naima 1960")
    #expect(songs.lastError == nil)
  }

  @Test("Undo of an insertion deletes that row, whatever rows have come before it")
  func undoInsertion() async throws {
    try list.insert(Song("mine"), at: 0)
    try execute("DELETE FROM song WHERE id = 1; INSERT INTO song (title) VALUES ('theirs')")
    try await until { titles.contains("theirs") }
    try undo.undo()
    #expect(titles == ["Naima", "Nardis", "theirs"])
    try undo.redo()
    #expect(titles == ["mine", "Naima", "Nardis", "theirs"])
    #expect(try stored.map { $0.split(separator: " ")[0] } == ["2", "3", "4", "5"])
  }

  @Test("A group is one step, and is undone as a whole")
  func undoGroup() throws {
    try undo.group("Tidy") {
      songs.rows[0].title = "x"
      try list.remove(at: [1, 2])
      try list.add(Song("new"))
    }
    #expect(undo.undoCount == 1)
    try undo.undo()
    #expect(try stored == ["1 So What 1959", "2 Naima 1960", "3 Nardis 0"])
    try undo.redo()
    #expect(try stored == ["1 x 1959", "2 new 1959"])
  }

  @Test("An undo of a removal that the database refuses throws, changes nothing, and can be repeated")
  func refusedUndo() async throws {
    try list.remove(at: [1])
    try execute("INSERT INTO song (id, title) VALUES (8, 'Naima')")
    try await until { titles.contains("Naima") }
    let error = #expect(throws: KVError.self) { try undo.undo() }
    #expect(error?.message.contains("UNIQUE constraint failed: song.title") == true)
    #expect(titles == ["So What", "Nardis", "Naima"])
    #expect(try stored.count == 3 && undo.canUndo)
    try execute("DELETE FROM song WHERE id = 8")
    try await until { !titles.contains("Naima") }
    try undo.undo()
    #expect(titles == ["So What", "Naima", "Nardis"])
  }

  @Test("An undo of an edit that the database refuses changes the object, and is told as any refused edit")
  func refusedUndoOfEdit() async throws {
    songs.rows[0].title = "x"
    try execute("UPDATE song SET title = 'So What' WHERE id = 2")
    try await until { titles[1] == "So What" }
    try undo.undo()
    #expect(songs.rows[0].title == "So What" && unsaved == [ObjectIdentifier(songs.rows[0])])
    #expect(songs.lastError?.message == "song 1: title cannot be written: UNIQUE constraint failed: song.title.")
    #expect(try stored[0] == "1 x 1959")
  }

  // MARK: Rows that are gone

  @Test("A row that is deleted while a field has an edit of it: the edit is told, and written nowhere")
  func deletedWhileEdited() async throws {
    let field = Field()
    try field.bind(
      "text", to: "selection.title", of: list, options: .init(.twoWay, noSelection: "", trigger: .onCommit))
    try list.select(songs.rows[1])
    field.text = "mine"
    var errors: [String] = []
    songs.onError = { error, _ in errors.append(error.message) }
    try execute("DELETE FROM song WHERE id = 2")
    try await until { titles.count == 2 }
    try? list.commitEditing()
    #expect(errors == ["song 2: title cannot be written, since the row has been deleted."])
    #expect(try stored == ["1 So What 1959", "3 Nardis 0"])
    #expect(field.text == "Nardis" && !list.isEditing)
  }

  @Test("A row with an unsaved edit that is deleted is told")
  func deletedWhileUnsaved() async throws {
    let song = songs.rows[1]
    song.title = "So What"
    try execute("DELETE FROM song WHERE id = 2")
    try await until { titles.count == 2 }
    #expect(songs.lastError?.message == "song 2: title cannot be written, since the row has been deleted.")
    #expect(song.title == "So What")
    #expect(throws: KVError.self) { try songs.save(song) }
  }

  @Test("Undo of an edit of a row that is gone is told if the object lives, and is no step if it does not")
  func undoOfDeleted() async throws {
    var song: Song? = songs.rows[1]
    song?.title = "x"
    try execute("DELETE FROM song WHERE id = 2")
    try await until { titles.count == 2 }
    try undo.undo()
    #expect(song?.title == "Naima")
    #expect(songs.lastError?.message == "song 2: title cannot be written, since the row has been deleted.")
    #expect(try stored.count == 2)
    try undo.redo()
    song = nil
    #expect(try !undo.undo())
  }

  @Test("Another connection deletes a row: an edit is refused, and reading again removes it; undo finds nothing to do")
  func otherConnection() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    let (mine, theirs) = (try DatabaseQueue(path: file), try DatabaseQueue(path: file))
    try mine.write { db in try db.execute(sql: schema) }
    let undo = KVUndoManager()
    let songs = try TableRows(of: "song", in: mine, undo: undo) { Song() }
    let new = Song("new")
    songs.rows.append(new)
    try theirs.write { db in try db.execute(sql: "DELETE FROM song WHERE id > 1") }
    new.title = "edited"
    #expect(songs.lastError?.message == "song 4: title cannot be written, since the row has been deleted.")
    #expect(songs.rows.count == 4 && songs.unsaved.first === new)
    try songs.reload()
    #expect(songs.rows.map(\.id) == [1])
    try undo.undo()  // the title
    try undo.undo()  // the insertion
    #expect(songs.rows.map(\.id) == [1])
    try undo.redo()  // inserts it once more
    #expect(try theirs.read { try String.fetchAll($0, sql: "SELECT title FROM song") } == ["So What", "new"])
  }

  @Test("An edit that is made before a change of the database has arrived is not overwritten by it")
  func editBeforeArrival() async throws {
    let song = songs.rows[0]
    var seen: [String] = []
    let token = try song.observe("title") { seen.append("\($0.new ?? "-")") }
    for number in 0..<20 {
      try execute("UPDATE song SET title = 'their \(number)' WHERE id = 1")
      song.title = "my \(number)"
      await Task.yield()
    }
    try await settle()
    #expect(song.title == "my 19" && seen == (0..<20).map { "my \($0)" })
    withExtendedLifetime(token) {}
  }

  @Test("A pool works as a queue does")
  func pool() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).sqlite").path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) } }
    let pool = try DatabasePool(path: file)
    try await pool.write { db in try db.execute(sql: schema) }
    let songs = try TableRows(of: "song", in: pool) { Song() }
    for number in 0..<20 {
      try await pool.write { db in
        try db.execute(sql: "UPDATE song SET year = \(number), title = 'their \(number)' WHERE id = 1")
      }
      songs.rows[0].title = "my \(number)"
    }
    try await until { songs.rows[0].year == 19 }
    #expect(songs.rows[0].title == "my 19" && songs.lastError == nil)
    #expect(try await pool.read { try String.fetchOne($0, sql: "SELECT title FROM song WHERE id = 1") } == "my 19")
  }

  // MARK: Misuse, lifetimes

  @Test("A table without a primary key that is a key of the model, and a key that no column can have, are refused")
  func refusedTables() throws {
    try execute(
      "CREATE TABLE pair (a INTEGER, b INTEGER, PRIMARY KEY (a, b)); CREATE TABLE odd (id INTEGER PRIMARY KEY, friends TEXT)"
    )
    let pair = #expect(throws: KVError.self) { try TableRows(of: "pair", in: database) { Song() } }
    #expect(
      pair?.message
        == "the table pair needs a primary key of one column that is a key of the model; it has [\"a\", \"b\"].")
    let odd = #expect(throws: KVError.self) { try TableRows(of: "odd", in: database) { Odd() } }
    #expect(odd?.message == "\"friends\" of the table odd: Array<Song> is not DatabaseValueConvertible.")
    #expect(throws: KVError.self) { try TableRows(of: "none", in: database) { Song() } }
  }

  @Test("Rows that are dropped follow the table no more, and their objects write no more")
  func lifetime() throws {
    var rows: TableRows<Song>? = try TableRows(of: "song", in: database) { Song() }
    weak let dropped = rows
    let song = try #require(rows?.rows[0])
    rows = nil
    #expect(dropped == nil)
    song.title = "x"
    #expect(try stored[0] == "1 So What 1959")
  }
}

private let schema = """
  CREATE TABLE song (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, year INTEGER);
  CREATE TABLE play (song INTEGER NOT NULL REFERENCES song (id));
  INSERT INTO song (title, year) VALUES ('So What', 1959), ('Naima', 1960), ('Nardis', NULL);
  """
