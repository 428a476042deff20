import KVBinding

/// The story of a department in a dozen edits.
@main enum Program {
  static func main() throws {
    let research = Department("Research")
    let undo = try research.recordingUndo()
    let report = try research.observe("summary", as: String.self, options: [.initial, .new, .distinct]) { change in
      print(change.new ?? "")
    }

    let people = research.mutableArray(forKey: "employees")
    let ada = Employee("Ada", salary: 5_000)
    try people.append(ada)
    try people.append(Employee("Grace", salary: 5_500))
    try research.edit(ada, "salary", to: "6250.5")
    do {
      try research.edit(ada, "name", to: "  ")
    } catch {
      print(error)
    }
    try undo.group("Promote") {
      try research.edit(ada, "name", to: " Ada Lovelace ")
      try people.remove(at: 1)
    }
    print("undo")
    while try undo.undo() {}
    print("redo")
    while try undo.redo() {}
    report.cancel()
  }
}
