import KVBinding
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
}
