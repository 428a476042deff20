import KVBinding
import KVCore
import Testing

@Suite("THR.3: models of a global actor")
@Disk
struct GlobalActorTests {
  @Test("THR.3: they are written and read by key, and edited in part")
  func access() throws {
    let folder = Folder()
    try folder.setValue("b", forKey: "name")
    folder.parent = Folder()
    try folder.setValue("c", forKeyPath: "parent.name")
    try folder.mutableArray(forKey: "files").append("f")
    #expect(folder.name == "b" && folder.parent?.name == "c" && folder.files == ["f"])
    #expect(try folder.value(forKeyPath: "parent.title", as: String.self) == "C")
    let archive = Archive()
    try archive.setValue(3, forKey: "year")
    try archive.setValue("d", forKey: "name")
    #expect(archive.year == 3 && archive.name == "d")
  }

  @Test("THR.3: they are observed, by closures, owners, targets, paths and dependents")
  func observing() throws {
    let folder = Folder()
    let view = FolderView()
    var lines: [String] = []
    let token = try folder.observe("name") { lines.append("\($0.new ?? "nil")") }
    let typed = try folder.observe("parent.name", as: String.self) { lines.append("typed \($0.new ?? "nil")") }
    try view.observe(folder, "title") { view, _, new in view.text = new as? String ?? "" }
    try folder.addTarget(view, KVAction("touch", perform: { $0.touches += 1 }), forKeyPath: "name")
    folder.name = "b"
    folder.parent = Folder()
    try folder.setValue("c", forKeyPath: "parent.name")
    #expect(lines == ["b", "typed a", "typed c"])
    #expect(view.text == "B" && view.touches == 1)
    withExtendedLifetime((token, typed)) {}
  }

  @Test("THR.3: they are bound on the actor, in either direction")
  func binding() throws {
    let folder = Folder()
    let archive = Archive()
    let binding = try archive.bind("name", to: "name", of: folder, options: .twoWay)
    folder.name = "b"
    #expect(archive.name == "b")
    archive.name = "c"
    #expect(folder.name == "c" && binding.state == .active)
  }

  @Test("THR.3: a class with a slot of its own, and the form for the main actor")
  func slot() async throws {
    let drive = Drive()
    var sizes: [Int] = []
    let token = try drive.observe("size", as: Int.self) { sizes.append($0.new ?? -1) }
    drive.size = 3
    try drive.setValue(4, forKey: "size")
    #expect(sizes == [3, 4])
    #expect(try await MainDrive().changedSize() == 5)
    withExtendedLifetime(token) {}
  }

  @Test("THR.3, TAB.4: a struct of the actor")
  func values() throws {
    var label = DiskLabel()
    try label.setValue("b", forKey: "text")
    #expect(label.text == "b")
    #expect(try KVC.value(of: [label, DiskLabel()], forKeyPath: "text") as? [String] == ["b", "a"])
  }

  @Test("THR.3: the table can be read anywhere")
  func tableElsewhere() async {
    let names = await Task.detached { Folder.keyTable.keys.map(\.name) }.value
    #expect(names == ["name", "parent", "files", "title"])
  }

  @Test("THR.3: the use of a key off the actor ends the program with a sentence")
  nonisolated func elsewhere() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = Smuggled(object: Folder())
      await Task.detached { _ = try? KVC.value(of: folder.object, forKeyPath: "name") }.value
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      text.contains(
        """
        The key "name" belongs to a type of the global actor Disk, and was used off it. Use the object on its actor only.
        """))
  }

  @Test("THR.3: so it does for the main actor, whose runtime says nothing")
  nonisolated func elsewhereThanMain() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let drive = Smuggled(object: MainDrive())
      await Task.detached { try? drive.object.setValueElsewhere() }.value
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("The key \"size\" belongs to a type of the global actor MainActor, and was used off it."))
  }

  @Test("THR.3: so it does after uses on the actor, whatever the thread")
  nonisolated func laterElsewhere() async {
    await #expect(processExitsWith: .failure) {
      let folder = Smuggled(object: Folder())
      await folder.readOnDisk()
      await Task.detached { _ = try? KVC.value(of: folder.object, forKeyPath: "name") }.value
    }
  }
}

@globalActor
actor Disk {
  static let shared = Disk()
}

/// Takes an object out of its actor, which the compiler otherwise prevents.
private struct Smuggled<Object: AnyObject>: @unchecked Sendable {
  let object: Object

  @Disk func readOnDisk() { _ = try? KVC.value(of: object, forKeyPath: "name") }
}

@Disk
private class Folder: KVObject {
  @KVProperty var name = "a"
  @KVProperty var parent: Folder?
  var files: [String] = []
  var title: String { name.uppercased() }

  override class nonisolated var keyTable: KVTable {
    super.keyTable.extended(for: Folder.self) { @Disk key in
      key("name", \.name)
      key("parent", \.parent)
      key("files", \.files)
        .indexed(insert: { $0.files.insert($1, at: $2) }, remove: { $0.files.remove(at: $1) })
      key("title") { $0.title }.affected(by: "name")
    }
  }
}

@Disk
private final class Archive: Folder {
  @KVProperty var year = 1

  override class nonisolated var keyTable: KVTable {
    super.keyTable.extended(for: Archive.self) { @Disk key in key("year", { $0.year }, set: { $0.year = $1 }) }
  }
}

@Disk
private final class FolderView: KVObserver {
  var text = ""
  var touches = 0
}

@Disk
private final class Drive: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  @KVProperty var size = 1

  nonisolated static var keyTable: KVTable { KVTable(Drive.self) { @Disk key in key("size", \.size) } }
}

@Disk
private struct DiskLabel: KeyValueCoding {
  var text = "a"

  nonisolated static var keyTable: KVTable { KVTable(DiskLabel.self) { @Disk key in key("text", \.text) } }
}

@MainActor
private final class MainDrive: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  @KVProperty var size = 1

  nonisolated static var keyTable: KVTable { KVTable(MainDrive.self) { @MainActor key in key("size", \.size) } }

  func changedSize() throws -> Int {
    try setValue(5, forKey: "size")
    return size
  }

  nonisolated func setValueElsewhere() throws { try setValue(5, forKey: "size") }
}
