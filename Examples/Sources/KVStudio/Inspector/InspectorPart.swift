import Foundation
import KVBinding
import KVDocuments
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

  static let pathLimit = 1000
  /// How many observations and bindings are sent.
  static let factLimit = 100

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
      return try show(name, try text(body["path"] ?? ""), in: window)
    case "set":
      guard let name = body["name"] as? String, body.keys.contains("value") else {
        throw Refusal(422, "To set a value takes a name, a path and a value.")
      }
      let path = try text(body["path"])
      if let value = body["value"] as? String {
        guard value.utf8.count <= 10_000 else { throw Refusal(422, "A value has at most 10000 bytes.") }
        try Refusal.check(base: body["base"], present: try KVInspector.inspect(name, at: path).value ?? "", new: value)
      }
      try KVInspector.setValue(body["value"], forKeyPath: path, of: name)
      // Validation may have replaced the value, and other keys may depend on it.
      guard let view = views[window], let shown = view.name else { return [:] }
      return try show(shown, view.path, in: window)
    case "trace":
      guard let isOn = body["isOn"] as? Bool else { throw Refusal(422, "The trace is on, or it is not.") }
      views[window]?.isTracing = isOn
      traceIfWanted()
      return [:]
    default: throw Refusal(404, "The inspector has no action \"\(action.prefix(100))\".")
    }
  }

  private func show(_ name: String, _ path: String, in window: String) throws -> [String: Any] {
    let inspection = try members(name, path)
    views[window]?.name = name
    views[window]?.path = path
    views[window]?.sent = (try? KVDocument(inspection).data()) ?? Data()
    return inspection
  }

  private func text(_ path: Any?) throws(Refusal) -> String {
    guard let path = path as? String, path.utf8.count <= Self.pathLimit else {
      throw Refusal(422, "A key path is a text of at most \(Self.pathLimit) bytes.")
    }
    return path
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
        let isReachable = entry.path.utf8.count <= Self.pathLimit
        // A text that is shown in part would be written in part.
        let isWhole = (entry.value?.count ?? 0) < KVInspection.textLimit
        return [
          "name": String(entry.name.prefix(200)), "path": isReachable ? entry.path : "",
          "type": String(entry.type.prefix(200)), "value": entry.value ?? KVDocument.Null(),
          "kind": isReachable ? entry.kind.rawValue : KVInspection.Kind.plain.rawValue,
          "isReadOnly": entry.isReadOnly || !isReachable || !isWhole, "canNotify": entry.canNotify,
          "fault": entry.fault.map { String($0.prefix(300)) } ?? KVDocument.Null(),
        ]
      },
      "left": max(0, inspection.observations.count - Self.factLimit)
        + max(0, inspection.bindings.count - Self.factLimit),
      "observations": inspection.observations.prefix(Self.factLimit).map { observation -> [String: Any] in
        [
          "keyPath": observation.keyPath.description, "options": "\(observation.options)",
          "owner": observation.owner ?? KVDocument.Null(), "location": observation.location,
          "isPaused": observation.isPaused,
        ]
      },
      "bindings": inspection.bindings.prefix(Self.factLimit).map { binding -> [String: Any] in
        [
          "text": String(binding.text.prefix(300)), "state": binding.state,
          "fault": binding.fault.map { String($0.prefix(300)) } ?? KVDocument.Null(),
          "location": binding.location,
        ]
      },
    ]
  }
}
