import Foundation
import KVBinding
import KVDefinitions
import KVDocuments
import Testing

@testable import KVStudio

extension EditorTests {
  @Test("Saving is below the directory only, replaces no other file unasked, and keeps the format")
  func saving() throws {
    try perform("open", ["file": "package:ColorPicker.ilabs-bindings"])
    try edit(0, "key", "blue")
    #expect(try refusal("open", ["file": "package:ColorPicker.json"]).status == 409)
    #expect(try refusal("save", ["file": "package:ColorPicker.json"]).sentence.contains("belongs to the package"))
    try FileManager.default.createSymbolicLink(
      at: directory.appendingPathComponent("out"), withDestinationURL: FileManager.default.temporaryDirectory)
    try FileManager.default.createSymbolicLink(
      at: directory.appendingPathComponent("link.json"), withDestinationURL: URL(fileURLWithPath: "/etc/hostname"))
    try FileManager.default.createSymbolicLink(
      at: directory.appendingPathComponent("dangling.json"),
      withDestinationURL: directory.deletingLastPathComponent().appendingPathComponent("studio-nothing.json"))
    let names = [
      "../x.json", "/tmp/x.json", "out/x.json", "link.json", "dangling.json", ".json", "folder/x.json", "x.swift", "",
      String(repeating: "x", count: 1001) + ".json", "a\0.json",
    ]
    for name in names {
      let status = try refusal("save", ["file": name, "replaces": true]).status
      #expect([403, 404, 422].contains(status), "\(name): \(status)")
    }
    let state = try perform("save", ["file": "mine.ilabs-bindings"])
    #expect(state["isUnsaved"] as? Bool == false && state["file"] as? String == "mine.ilabs-bindings")
    let saved = try Data(contentsOf: directory.appendingPathComponent("mine.ilabs-bindings"))
    #expect(saved.starts(with: Data("bplist".utf8)))
    #expect(try KVBindingDefinitions(data: saved).definitions[0].key == "blue")
    try edit(0, "key", "azure")
    try perform("save", ["file": "mine.ilabs-bindings"])
    try edit(0, "key", "later")
    #expect(try perform("undo")["isUnsaved"] as? Bool == false && definitions()[0]["key"] as? String == "azure")
    try Data("{}".utf8).write(to: directory.appendingPathComponent("other.json"))
    #expect(try refusal("save", ["file": "other.json"]).status == 409)
    let version = try #require(try refusal("save", ["file": "other.json"]).members["version"])
    try perform("save", ["file": "other.json", "replaces": version])
    try perform("open", ["file": "mine.ilabs-bindings"])
    #expect(definitions()[0]["key"] as? String == "azure")
    try edit(0, "key", "x")
    try perform("open", ["file": KVDocument.Null(), "discards": true])
    #expect(definitions().count == 1)
  }

  @Test("A save through a symbolic link writes the file, and the link stays")
  func links() throws {
    let (file, link) = (directory.appendingPathComponent("real.json"), directory.appendingPathComponent("link.json"))
    try Data("{}".utf8).write(to: file)
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "real.json")
    try perform("open", ["file": "package:ColorPicker.json"])
    let version = try #require(try refusal("save", ["file": "link.json"]).members["version"])
    try perform("save", ["file": "link.json", "replaces": version])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "real.json")
    #expect(try KVBindingDefinitions(contentsOf: file).definitions.count == 6)
    // By either name, it is the file that was saved.
    try edit(0, "key", "x")
    try perform("save", ["file": "real.json"])
  }

  @Test("A file is written in the format of its name")
  func formats() throws {
    for (name, start) in [("a.json", "{"), ("a.plist", "<?xml"), ("a.ilabs-bindings", "<?xml"), ("b.json", "{")] {
      try perform("open", ["file": "package:ColorPicker.\(name == "a.json" ? "ilabs-bindings" : "json")"])
      try perform("save", ["file": name])
      let data = try Data(contentsOf: directory.appendingPathComponent(name))
      #expect(data.starts(with: Data(start.utf8)), "\(name)")
      #expect(try KVBindingDefinitions(data: data).definitions.count == (name == "a.json" ? 5 : 6))
    }
  }

  @Test("A file that was changed on disk is not replaced unasked, and the answer is about one version of it")
  func changedOnDisk() throws {
    let url = directory.appendingPathComponent("shared.json")
    try perform("open", ["file": "package:ColorPicker.json"])
    try perform("save", ["file": "shared.json"])
    try edit(0, "key", "mine")
    try Data(#"{"version": 1, "bindings": []}"#.utf8).write(to: url)
    let first = try refusal("save", ["file": "shared.json"])
    #expect(first.status == 409 && first.sentence.contains("was changed on disk since it was opened"))
    // Another program writes once more while the user reads the question.
    let other = Data(#"{"version": 1, "bindings": [ ]}"#.utf8)
    try other.write(to: url)
    let second = try refusal("save", ["file": "shared.json", "replaces": try #require(first.members["version"])])
    #expect(second.status == 409 && second.members["version"] != first.members["version"])
    #expect(try Data(contentsOf: url) == other && editor.document.hasUnsavedChanges)
    for answer in [true as Any, "", KVDocument.Null()] {
      #expect(try refusal("save", ["file": "shared.json", "replaces": answer]).status == 409)
    }
    try perform("save", ["file": "shared.json", "replaces": try #require(second.members["version"])])
    #expect(try KVBindingDefinitions(contentsOf: url).definitions.first?.key == "mine")
    // A file that is gone is written again.
    try FileManager.default.removeItem(at: url)
    try edit(0, "key", "again")
    try perform("save", ["file": "shared.json"])
    #expect(try KVBindingDefinitions(contentsOf: url).definitions.first?.key == "again")
  }

  @Test("The package's files hide none of the directory")
  func names() throws {
    try Data(#"{"version": 1, "bindings": []}"#.utf8).write(to: directory.appendingPathComponent("ColorPicker.json"))
    try perform("open", ["file": "ColorPicker.json"])
    #expect(definitions().isEmpty)
    try perform("add")
    try perform("save", ["file": "ColorPicker.json"])
    try perform("open", ["file": "package:ColorPicker.json"])
    #expect(definitions().count == 6)
  }

  #if !os(Windows)
    @Test("A pipe is refused at once, and not waited for", .timeLimit(.minutes(1)))
    func pipe() throws {
      #expect(mkfifo(directory.appendingPathComponent("pipe.json").path, 0o600) == 0)
      for action in ["open", "save"] {
        let refusal = try refusal(action, ["file": "pipe.json"])
        #expect(refusal.status == 403 && refusal.sentence.contains("not a regular file"))
      }
      let failure = #expect(throws: StudioFailure.self) { try Studio(directory: directory, files: ["pipe.json"]) }
      #expect(failure?.sentences.first?.contains("not a regular file") == true)
    }
  #endif

  @Test("What a window still has becomes the unsaved document of a new run; numbers are never those of another one")
  func restoring() throws {
    try perform("open", ["file": "package:ColorPicker.json"])
    try perform("save", ["file": "mine.json"])
    try edit(0, "fallback", "0.5")
    let kept = definitions()
    let oldNumber = try number(0)
    let next = EditorPart(picker, DefinitionFiles(below: directory))
    next.open("b")
    _ = try next.perform("add", [:], in: "b")
    let body: [String: Any] = ["file": "mine.json", "definitions": kept]
    let refusal = try #require(throws: Refusal.self) { try next.perform("restore", body, in: "b") }
    #expect(refusal.status == 409 && refusal.sentence.contains("unsaved changes"))
    let state = try next.perform("restore", body.merging(["discards": true]) { $1 }, in: "b")
    #expect(state["file"] as? String == "mine.json" && state["isUnsaved"] as? Bool == true && next.hasUnsavedChanges)
    let texts = (state["definitions"] as? [[String: Any]] ?? []).map { $0["fallback"] as? String }
    #expect(texts == kept.map { $0["fallback"] as? String } && texts[0] == "0.5")
    // Back to the file, and saved without a question: it is the version that was opened.
    _ = try next.perform("save", ["file": "mine.json"], in: "b")
    #expect(!next.hasUnsavedChanges)
    #expect(oldNumber > 1_000_000_000_000)
    let gone = try next.perform("restore", ["file": "none.json", "definitions": kept], in: "b")
    #expect(gone["file"] is KVDocument.Null && (gone["definitions"] as? [Any])?.count == 6)
    for definitions in [KVDocument.Null() as Any, [1], [["key": "x"]], Array(repeating: kept[0], count: 501)] {
      let body: [String: Any] = ["definitions": definitions, "discards": true]
      #expect(throws: Refusal.self) { try next.perform("restore", body, in: "b") }
    }
    #expect(next.document.definitions.count == 6)
  }
}
