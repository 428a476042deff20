import Foundation
import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

// The code of Docs/Migrating/FromBlockKVO.md.

extension KVAction<BlockKVOMigrationTests.Delegate> {
  fileprivate static var changed: KVAction { KVAction("changed") { $0.log.append("changed") } }
}

extension BlockKVOMigrationTests {
  @KVModel fileprivate final class Example: KVObject {
    var title: String?
    var progress: Float = 0
    var parts: [String] = []
  }

  fileprivate final class Delegate: KVObject {
    @KVProperty var property = Example()
    var log: [String] = []

    func launch() throws {
      try observe(self, "property.title") { me, old, new in
        me.log.append("title \(brief(old)) → \(brief(new))")
      }
      property.title = "Hello World!"
      property.title = "Hello World!"

      try observe(self, "property.progress") { me, old, new in
        me.progressChanged(from: old as? Float ?? 0, to: new as? Float ?? 0)
      }
      property.progress = 0.75

      try bind("property.title", to: "property.progress", of: self) { (progress: Float) in
        "In progress: \(Int(progress * 100)) %"
      }
      property.progress = 0.99
    }

    func progressChanged(from old: Float, to new: Float) { log.append("progress \(old) → \(new)") }

    func take() -> [String] {
      defer { log = [] }
      return log
    }
  }
}

@Suite("Migrating from Block-KVO")
struct BlockKVOMigrationTests {
  private let delegate = Delegate()
  private let example = Example()

  @Test("OBS.2, BND.3: the example")
  func sample() throws {
    try delegate.launch()
    #expect(
      delegate.log == [
        "title nil → nil", "title nil → Hello World!", "progress 0.0 → 0.0", "progress 0.0 → 0.75",
        "title Hello World! → In progress: 75 %", "progress 0.75 → 0.99",
        "title In progress: 75 % → In progress: 99 %",
      ])
  }

  @Test("OBS.2: the first call and the comparison can be turned off; several paths, each with its name")
  func switches() throws {
    try delegate.observe(example, ["title", "progress"], options: []) { me, path, _, new in
      me.log.append("\(path) \(brief(new))")
    }
    example.title = nil
    example.progress = 0.5
    #expect(delegate.take() == ["title nil", "progress 0.5"])
  }

  @Test("KVO.2, LIF.2: foreign objects: the record names the object, as the block of observeObject did")
  func foreignObject() throws {
    try example.observe("title", options: [.old, .new, .initial, .distinct], owner: delegate) { me, change in
      me.log.append("\((change.object as? Example)?.progress ?? -1) \(brief(change.new))")
    }
    example.title = "a"
    example.title = "a"
    #expect(delegate.take() == ["0.0 nil", "0.0 a"])
    try example.observe("progress", as: Float.self, owner: delegate) { me, change in
      me.log.append("\((change.new ?? 0) - (change.old ?? 0))")
    }
    example.progress = 2
    #expect(delegate.take() == ["2.0"])
  }

  @Test("TOM.4: relationships: a handler for each kind, or the whole collection")
  func relationships() throws {
    try delegate.observeRelationship(
      example, "parts",
      change: { me, old, new in me.log.append("change \(brief(old)) → \(brief(new))") },
      insertion: { me, new, indexes in me.log.append("insertion \(brief(new)) \(indexes ?? [])") })
    let parts = example.mutableArray(forKey: "parts")
    try parts.append("a")
    try parts.replace(at: 0, with: "b")
    try parts.append(contentsOf: [])
    #expect(delegate.take() == ["change [] → []", "insertion [a] [0]", "change nil → [b]"])
    try delegate.observe(example, "parts", options: .distinct) { me, old, new in
      me.log.append("whole \(brief(old)) → \(brief(new))")
    }
    try parts.append("c")
    #expect(delegate.take() == ["insertion [c] [1]", "whole [b] → [b, c]"])
  }

  @Test("BND.3, BND.5: mapping: a value for nil, transformers by name, and back")
  func mapping() throws {
    try example.bind("progress", to: "title", of: example, options: .init(nullPlaceholder: 1))
    #expect(example.progress == 1)
    example.unbindAll()
    try example.bind("progress", to: "title", of: example, options: .init(transformer: .isNotNil))
    #expect(example.progress == 0)
    example.unbindAll()

    try example.bind("title", to: "progress", of: example) { (progress: Float) in "\(progress)" }
    try example.bind("progress", to: "title", of: example) { (title: String) in Float(title) ?? 0 }
    example.title = "0.5"
    #expect(example.progress == 0.5)
    example.progress = 2
    #expect(example.title == "2.0")
  }

  @Test("OBS.3: removal: by object and path, by object, all of one's own")
  func removal() throws {
    let other = Delegate()
    for path in ["title", "progress"] as [KVKeyPath] {
      try delegate.observe(example, path, options: .distinct) { me, _, _ in me.log.append("\(path)") }
    }
    try other.observe(example, "title", options: .distinct) { me, _, _ in me.log.append("other") }
    try delegate.removeObservations(of: example, forKeyPath: "title")
    example.title = "a"
    example.progress = 1
    delegate.removeObservations(of: example)
    example.progress = 2
    #expect(delegate.take() == ["progress"] && other.take() == ["other"])
    other.removeObservations()
    expectNoObserversLeft(on: example)
  }

  @Test("TGT.1: selectors become actions, which take nothing or the record")
  func selectors() throws {
    try example.addTarget(delegate, .changed, forKeyPath: "title", options: .initial)
    example.title = "a"
    #expect(delegate.take() == ["changed", "changed"])
  }

  @Test("OBS.4: notifications: no handler is called at once")
  func notifications() {
    let center = NotificationCenter()
    let name = Notification.Name("saved")
    let token = delegate.observe(notifications: [name], from: [example], center: center) { me, _ in
      me.log.append("saved")
    }
    #expect(delegate.log.isEmpty)
    center.post(name: name, object: example)
    center.post(name: name, object: delegate)
    token.cancel()
    center.post(name: name, object: example)
    #expect(delegate.take() == ["saved"])
  }

  @Test("KVO.4, KVO.20, LIF.4, LIF.5: version 1: values before the change, pausing, listing, the end of an object")
  func versionOne() throws {
    let token = try example.observe("title", options: [.old, .prior], owner: delegate) { me, change in
      me.log.append(change.isPrior ? "before \(brief(change.old))" : "after \(brief(change.old))")
    }
    example.title = "a"
    token.pause()
    example.title = "b"
    token.resume()
    #expect(delegate.take() == ["before nil", "after nil"] && token.isActive)
    #expect(try KVDiagnostics.observations(of: example, forKeyPath: "title").map(\.owner) == ["Delegate"])

    let log = ChangeLines()
    var mortal: Example? = Example()
    mortal?.onDeinit { log.add("gone") }
    mortal = nil
    #expect(log.take() == ["gone"])
  }
}
