import Foundation
import KVBinding
import KVInspector

/// The inspector: whatever the program has registered.
@MainActor final class InspectorPart: StudioPart {
  /// What a window looks at.
  private struct View {
    var name: String?
    var path = ""
    var isTracing = false
    /// The inspection that was sent last, to send it again only when it differs.
    var sent = Data()
  }

  let name = "inspector"
  private let trace = KVInspectorTrace()
  private var views: [String: View] = [:]
  private var isTracing = false
  private var ticks = 0
  /// The documents that the command line has named; the inspector does not retain them.
  private let documents: [KVRecord]

  init(_ documents: [KVRecord] = []) { self.documents = documents }

  func open(_ window: String) { views[window] = View() }

  func close(_ window: String) {
    views[window] = nil
    traceIfWanted()
  }

  func state(of window: String) throws -> [String: Any] { ["names": KVInspector.names] }

  func perform(_ action: String, _ body: [String: Any], in window: String) throws -> [String: Any] {
    switch action {
    case "show":
      // An empty name ends the view.
      guard let name = body["name"] as? String, !name.isEmpty else {
        views[window]?.name = nil
        return [:]
      }
      let inspection = try members(name, body["path"] as? String ?? "")
      views[window]?.name = name
      views[window]?.path = body["path"] as? String ?? ""
      views[window]?.sent = (try? KVDocument(inspection).data()) ?? Data()
      return inspection
    case "set":
      guard let name = body["name"] as? String, let path = body["path"] as? String, body.keys.contains("value") else {
        throw Refusal(422, "To set a value takes a name, a path and a value.")
      }
      try KVInspector.setValue(body["value"], forKeyPath: path, of: name)
      return [:]
    case "trace":
      guard let isOn = body["isOn"] as? Bool else { throw Refusal(422, "The trace is on, or it is not.") }
      views[window]?.isTracing = isOn
      traceIfWanted()
      return [:]
    default: throw Refusal(404, "The inspector has no action \"\(action.prefix(100))\".")
    }
  }

  func document(_ name: String, _ query: [String: String]) throws -> Response? {
    switch name {
    case "graph.svg":
      let graph = try KVInspector.graph(of: query["name"] ?? "")
      return Response(Data(GraphDrawing(graph).svg.utf8), type: "image/svg+xml")
    case "graph.dot":
      return Response(Data(try KVInspector.graph(of: query["name"] ?? "").dot.utf8), type: "text/plain")
    case "graph.txt":
      return Response(Data(try KVInspector.graph(of: query["name"] ?? "").description.utf8), type: "text/plain")
    default: return nil
    }
  }

  private func traceIfWanted() {
    let isWanted = views.values.contains { $0.isTracing }
    guard isWanted != isTracing else { return }
    isTracing = isWanted
    if isWanted { trace.start() } else { trace.stop() }
  }

  // MARK: Time

  func tick() { ticks += 1 }

  func publishChanges(to hub: EventHub) {
    guard ticks > 0 else { return }
    if isTracing { publishTrace(to: hub) }
    // What is shown is read anew twice in a second: many keys do not notify.
    guard ticks >= 5 else { return }
    ticks = 0
    for (window, view) in views {
      guard let name = view.name else { continue }
      var members: [String: Any] = [:]
      do { members = try self.members(name, view.path) } catch {
        members = ["name": name, "path": view.path, "fault": error.message]
      }
      guard let data = try? KVDocument(members).data(), data != view.sent else { continue }
      views[window]?.sent = data
      hub.publish("inspector.shown", for: window, members)
    }
  }

  private func publishTrace(to hub: EventHub) {
    let (lines, leftOut) = trace.take()
    guard !lines.isEmpty else { return }
    let members: [[String: Any]] = lines.map { line in
      [
        "number": line.number, "level": line.level, "topic": line.topic, "message": line.message,
        "keyPath": line.keyPath ?? KVDocument.Null(), "location": line.location ?? KVDocument.Null(),
        "root": line.object.flatMap(KVInspector.name(of:)) ?? KVDocument.Null(),
      ]
    }
    for (window, view) in views where view.isTracing {
      hub.publish("inspector.trace", for: window, ["lines": members, "leftOut": leftOut])
    }
  }

  // MARK: JSON

  private func members(_ name: String, _ path: String) throws(KVError) -> [String: Any] {
    let inspection = try KVInspector.inspect(name, at: path)
    return [
      "name": name, "path": path, "type": inspection.type, "kind": inspection.kind.rawValue,
      "value": inspection.value ?? KVDocument.Null(), "count": inspection.count ?? KVDocument.Null(),
      "allowsEditing": inspection.allowsEditing, "names": KVInspector.names,
      "entries": inspection.entries.map { entry -> [String: Any] in
        [
          "name": entry.name, "path": entry.path, "type": entry.type, "value": entry.value ?? KVDocument.Null(),
          "kind": entry.kind.rawValue, "isReadOnly": entry.isReadOnly, "canNotify": entry.canNotify,
          "fault": entry.fault ?? KVDocument.Null(),
        ]
      },
      "observations": inspection.observations.map { observation -> [String: Any] in
        [
          "keyPath": observation.keyPath.description, "options": "\(observation.options)",
          "owner": observation.owner ?? KVDocument.Null(), "location": observation.location,
          "isPaused": observation.isPaused,
        ]
      },
      "bindings": inspection.bindings.map { binding -> [String: Any] in
        [
          "text": binding.text, "state": binding.state, "fault": binding.fault ?? KVDocument.Null(),
          "location": binding.location,
        ]
      },
    ]
  }
}
