import KVBinding
import KVDocuments
import KVInspector
import Testing

@testable import KVStudio

@KVModel final class Boat: KVObject {
  var crew = 3
  var name: String? = "Argo"
  @KVKey(.readOnly) var length = 12
}

@MainActor @Suite("A window of the inspector", .serialized)
struct InspectorPartTests {
  @Test("A window is sent what it looks at when that changes, and the trace while it is on")
  func part() throws {
    let boat = Boat()
    KVInspector.register(boat, named: "Boat", allowsEditing: true)
    let (part, hub) = (InspectorPart(), EventHub())
    part.open("a")
    defer { part.close("a") }
    let shown = try part.perform("show", ["name": "Boat", "path": ""], in: "a")
    #expect((shown["entries"] as? [[String: Any]])?.count == 3)
    func tick() { for _ in 0..<5 { part.tick() } }
    tick()
    part.publishChanges(to: hub)
    #expect(hub.position == 0)
    boat.crew = 77
    tick()
    part.publishChanges(to: hub)
    #expect(hub.position == 1 && hub.events(for: "a", after: 0) != hub.events(for: "b", after: 0))
    let token = try boat.observe("name") { _ in }
    _ = try part.perform("trace", ["isOn": true], in: "a")
    boat.name = nil
    part.tick()
    part.publishChanges(to: hub)
    guard case .events(let text, _) = hub.events(for: "a", after: 1) else { throw Refusal(500, "lost") }
    #expect(text.contains("event: inspector.trace") && text.contains(#""root":"Boat""#))
    token.cancel()
    #expect(throws: KVError.self) { try part.perform("show", ["name": "Boat", "path": "nam"], in: "a") }
    #expect(throws: KVError.self) { try part.perform("set", ["name": "Boat", "path": "length", "value": 1], in: "a") }
    #expect(throws: Refusal.self) { try part.perform("set", ["name": "Boat"], in: "a") }
    #expect(try part.document("graph.svg", ["name": "Boat"])?.type == "image/svg+xml")
    #expect(throws: KVError.self) { try part.document("graph.svg", ["name": "Ship"]) }
  }

  @Test("The answer to an edit is what is shown then; an edit of what has changed meanwhile is refused")
  func edits() throws {
    let boat = Boat()
    KVInspector.register(boat, named: "Edited", allowsEditing: true)
    let part = InspectorPart()
    part.open("a")
    defer { part.close("a") }
    _ = try part.perform("show", ["name": "Edited", "path": ""], in: "a")
    let body: [String: Any] = ["name": "Edited", "path": "crew", "value": "12", "base": "3"]
    let answer = try part.perform("set", body, in: "a")
    #expect((answer["entries"] as? [[String: Any]])?.first?["value"] as? String == "12" && boat.crew == 12)
    let late = body.merging(["value": "20"]) { $1 }
    let refusal = try #require(throws: Refusal.self) { try part.perform("set", late, in: "a") }
    #expect(refusal.status == 409 && boat.crew == 12)
    let long = String(repeating: "x", count: 10_001)
    for body in [
      ["name": "Edited", "path": "name", "value": long], ["name": "Edited", "path": long, "value": 1],
      ["name": "Edited", "path": 1, "value": 1],
    ] as [[String: Any]] {
      #expect(try #require(throws: Refusal.self) { try part.perform("set", body, in: "a") }.status == 422)
    }
    #expect(throws: Refusal.self) { try part.perform("show", ["name": "Edited", "path": long], in: "a") }
  }

  @Test("What is sent has a limit, whatever the keys and values are; a text that is shown in part cannot be edited")
  func sizes() throws {
    let long = String(repeating: "k", count: 5000)
    let members = Dictionary(uniqueKeysWithValues: (0..<300).map { ("\(long)\($0)", long as Any) })
    let record = try KVRecord(members.merging(["short": "x", "long": long]) { $1 })
    KVInspector.register(record, named: "Large", allowsEditing: true)
    let tokens = try (0..<300).map { _ in try record.observe("short") { _ in } }
    let part = InspectorPart()
    part.open("a")
    defer { part.close("a") }
    let shown = try part.perform("show", ["name": "Large", "path": ""], in: "a")
    #expect(try KVDocument(shown).data().count < 300_000)
    #expect((shown["observations"] as? [Any])?.count == 100 && shown["left"] as? Int == 200)
    let entries = shown["entries"] as? [[String: Any]] ?? []
    #expect(
      !entries.isEmpty && entries.allSatisfy { $0["isReadOnly"] as? Bool == (($0["name"] as? String) != "short") })
    for token in tokens { token.cancel() }
  }
}
