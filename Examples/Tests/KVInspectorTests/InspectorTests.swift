import Foundation
import KVBinding
import KVDocuments
import Synchronization
import Testing

@testable import KVInspector

@KVModel final class Engine: KVObject {
  var power = 100
  var name: String? = "V8"
}

@KVModel final class Car: KVObject {
  var engine = Engine()
  var seats = [2, 3]
  @KVKey(.readOnly) var serial = 7
  @KVKey(.validated(by: checkSpeed)) var speed = 10.5
  var isOld = false
  var label: String { "\(speed) km/h" }

  func checkSpeed(_ speed: Double) throws -> KVValidation {
    guard speed >= 0 else { throw KVError(.invalidValue, "A car has no negative speed.") }
    return speed > 300 ? .replaced(with: 300.0) : .valid
  }
}

@MainActor @Suite("The inspector shows objects, and changes them only where it may", .serialized)
struct InspectorTests {
  private let car = Car()

  init() { KVInspector.register(car, named: "Car", allowsEditing: true) }

  @Test("Keys with their types and values, by key path")
  func keys() throws {
    let inspection = try KVInspector.inspect("Car")
    #expect(inspection.type == "Car" && inspection.kind == .keyed && inspection.count == nil)
    #expect(inspection.entries.map(\.name) == ["engine", "seats", "serial", "speed", "isOld", "label"])
    #expect(inspection.entries.map(\.value) == ["Engine", "2 elements", "7", "10.5", "false", "10.5 km/h"])
    #expect(inspection.entries.map(\.isReadOnly) == [false, false, true, false, false, true])
    #expect(inspection.entries[0].kind == .keyed && inspection.entries[1].kind == .list)
    #expect(inspection.entries[3].type == "Double" && inspection.entries[3].canNotify)
    car.engine.name = nil
    let engine = try KVInspector.inspect("Car", at: "engine")
    #expect(engine.entries.map(\.path) == ["engine.power", "engine.name"] && engine.entries[1].value == nil)
    let seats = try KVInspector.inspect("Car", at: "seats")
    #expect(seats.count == 2 && seats.entries.map(\.path) == ["seats[0]", "seats[1]"])
    #expect(try KVInspector.inspect("Car", at: "engine.power").value == "100")
    #expect(try KVInspector.inspect("Car", at: "seats.@sum.self").value == "5")
  }

  @Test("Observers with the line of their registration, and bindings with their state")
  func observers() throws {
    let token = try car.observe("engine.power") { _ in }
    let line = #line - 1
    let engine = Engine()
    let binding = try car.bind("speed", to: "power", of: engine, options: .init(.oneWay, validates: true))
    var inspection = try KVInspector.inspect("Car")
    #expect(inspection.observations.map { "\($0.keyPath)" } == ["engine.power"])
    #expect(inspection.observations.first?.location == "KVInspectorTests/InspectorTests.swift:\(line)")
    #expect(inspection.bindings.map(\.text) == ["Engine.power → Car.speed"])
    #expect(inspection.bindings.map(\.state) == ["active"] && inspection.bindings.first?.fault == nil)
    engine.power = -1
    inspection = try KVInspector.inspect("Car")
    #expect(inspection.bindings.first?.state == "failed")
    #expect(inspection.bindings.first?.fault?.contains("A car has no negative speed.") == true)
    #expect(inspection.description.contains("bound: Engine.power → Car.speed [failed]"))
    token.cancel()
    binding.cancel()
    #expect(try KVInspector.inspect("Car").observations.isEmpty)
  }

  @Test("Values are converted and validated; what does not fit changes nothing")
  func editing() throws {
    try KVInspector.setValue("12", forKeyPath: "engine.power", of: "Car")
    try KVInspector.setValue("true", forKeyPath: "isOld", of: "Car")
    try KVInspector.setValue("Boxer", forKeyPath: "engine.name", of: "Car")
    try KVInspector.setValue(999, forKeyPath: "speed", of: "Car")
    #expect(car.engine.power == 12 && car.isOld && car.engine.name == "Boxer" && car.speed == 300)
    for (value, path, code) in [
      ("x", "engine.power", KVError.Code.typeMismatch), (-1, "speed", .invalidValue), (1, "serial", .notSettable),
      (1, "sped", .undefinedKey), (1, "label", .notSettable),
    ] as [(Any, String, KVError.Code)] {
      let error = try #require(throws: KVError.self) {
        try KVInspector.setValue(value, forKeyPath: path, of: "Car")
      }
      #expect(error.code == code, "\(path): \(error)")
    }
    KVInspector.register(car, named: "Locked")
    let error = try #require(throws: KVError.self) {
      try KVInspector.setValue(1, forKeyPath: "speed", of: "Locked")
    }
    #expect(error.code == .unsupported && error.message.contains("can only be read here") && car.speed == 300)
    #expect(try KVInspector.inspect("Locked").entries.allSatisfy(\.isReadOnly))
    KVInspector.unregister("Locked")
  }

  @Test("An object that is gone is forgotten, and a name that is unknown gets the known ones")
  func names() throws {
    do { KVInspector.register(Car(), named: "Gone") }
    #expect(!KVInspector.names.contains("Gone") && KVInspector.names.contains("Car"))
    let error = try #require(throws: KVError.self) { try KVInspector.inspect("Gone") }
    #expect(error.message.contains("No object is registered as \"Gone\"") && error.message.contains("\"Car\""))
  }

  @Test("Documents are shown with all their entries")
  func documents() throws {
    let record = try KVRecord(json: Data(#"{"a.b": {"c": [1, null]}, "n": null}"#.utf8))
    KVInspector.register(record, named: "Document")
    let inspection = try KVInspector.inspect("Document")
    #expect(inspection.entries.map(\.name).contains("a.b"))
    let path = try #require(inspection.entries.first { $0.name == "a.b" }).path
    let elements = try KVInspector.inspect("Document", at: path + ".c")
    #expect(elements.entries.map(\.value) == ["1", nil], "\(path) \(elements)")
    KVInspector.unregister("Document")
  }

  @Test("A trace keeps so many events, and counts the others")
  func trace() throws {
    // Other tests have events at the same time.
    let id = ObjectIdentifier(car)
    let trace = KVInspectorTrace(limit: 3) { $0.object == id }
    trace.start()
    defer { trace.stop() }
    let token = try car.observe("speed") { _ in }
    _ = trace.take()
    for number in 1...5 { car.speed = Double(number) }
    let (lines, leftOut) = trace.take()
    #expect(lines.count == 3 && leftOut == 2)
    let line = try #require(lines.first)
    #expect(line.keyPath == "speed" && line.topic == "delivery")
    #expect(line.location?.contains("InspectorTests.swift") == true)
    #expect(line.object.flatMap(KVInspector.name(of:)) == "Car")
    #expect(trace.take().lines.isEmpty)
    token.cancel()
  }

  @Test("A trace leaves the handler of the program as it is, also one that is set while it runs")
  func handlerOfProgram() throws {
    let boat = Car()
    let id = ObjectIdentifier(boat)
    let heard = Mutex<[String]>([])
    let token = try boat.observe("speed") { _ in }
    let trace = KVInspectorTrace(limit: 100) { $0.object == id }
    let program = KVDiagnostics.addHandler(level: .verbose) { event in
      if event.object == id { heard.withLock { $0.append("program") } }
    }
    trace.start()
    trace.start()
    boat.speed = 1
    #expect(heard.withLock { $0.count } == 1 && trace.take().lines.count == 1)
    trace.stop()
    boat.speed = 2
    #expect(heard.withLock { $0.count } == 2 && trace.take().lines.isEmpty)
    KVDiagnostics.removeHandler(program)
    trace.start()
    boat.speed = 3
    trace.stop()
    trace.stop()
    #expect(trace.take().lines.count == 1)
    token.cancel()
  }

  @Test("A drawing has a box for each object, right of what it is bound to, and no markup of a value")
  func drawing() throws {
    let drawing = GraphDrawing(
      nodes: [["A<script> 1", "observed \"x\" & more [label=\"n1 -> n2\"];"], ["B 2"], ["C 3"]],
      edges: [
        .init(
          source: 0, target: 1, label: "a ⇄ b", tooltip: "File.swift:1", isTwoWay: true, isReversed: false,
          state: "active"),
        .init(
          source: 1, target: 2, label: "b → c", tooltip: "No \"c\"", isTwoWay: false, isReversed: false, state: "failed"
        ),
        .init(
          source: 2, target: 0, label: "c → a", tooltip: "", isTwoWay: false, isReversed: false, state: "unresolved"),
      ])
    #expect(drawing.nodes[1].x > drawing.nodes[0].x)
    let svg = drawing.svg
    #expect(!svg.contains("<script>") && svg.contains("A&lt;script&gt; 1") && svg.contains("&quot;x&quot; &amp; more"))
    #expect(GraphDrawing(nodes: [], edges: []).svg.hasPrefix("<svg"))
    let engine = Engine()
    try engine.bind("power", to: "serial", of: car)
    // A key path that looks like the language of Graphviz is a label like any other.
    let record = try KVRecord(json: Data(#"{"a\", color=red, b=\"": 1}"#.utf8))
    let name = #"["a\", color=red, b=\""]"#
    try car.bind("speed", to: name, of: record)
    let graph = GraphDrawing(try KVInspector.graph(of: "Car"))
    #expect(graph.nodes.map { $0.lines[0] } == ["Car 1", "Engine 2", "KVRecord 3"])
    #expect(graph.edges.map(\.state) == ["active", "active"] && graph.edges[0].label == "serial → power")
    engine.unbindAll()
    car.unbindAll()
  }
}
