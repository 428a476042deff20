import Foundation
import KVBinding
import KVDocuments

/// What the page shows: parts, and the windows in which they are open.
///
/// All models belong to the main actor, where each request is carried out as a whole, one after the other.
@MainActor public final class Studio {
  /// A page in a browser.
  private struct Window {
    /// The number of its last request.
    var lastRequest = 0
    /// The stream that sends its events; nil if it is not connected.
    var reader: Int?
    /// When it was opened, has last sent a request, or its stream has ended.
    var leftAt = ContinuousClock.now
  }

  /// How long windows may be without a stream, and send nothing.
  struct Patience {
    /// When a window is closed.
    var most = Duration.seconds(60)
    /// When a window makes room for another one, if there are as many as may be.
    ///
    /// A stream that begins anew takes less.
    var least = Duration.seconds(5)
  }

  /// A name of this run of the program, by which a page notices that it talks to another one.
  let run = String(Gate.randomToken().prefix(12))
  let hub: EventHub
  private let parts: [any StudioPart]
  private let windowLimit: Int
  private let patience: Patience
  private var windows: [String: Window] = [:]
  let assets = PageAssets()

  init(_ parts: [any StudioPart], hub: EventHub = EventHub(), windowLimit: Int = 32, patience: Patience = Patience()) {
    self.parts = parts
    self.hub = hub
    self.windowLimit = windowLimit
    self.patience = patience
  }

  /// Whether something would be lost if the program ended now.
  public var hasUnsavedChanges: Bool { parts.contains { $0.hasUnsavedChanges } }

  /// The table.
  var table: TablePart? { parts.lazy.compactMap { $0 as? TablePart }.first }

  // MARK: Requests

  /// Answers a request that the gate has let in.
  ///
  /// The answer names the position of the events that it includes: the page applies it between these and later ones.
  func respond(to request: Request) -> Response {
    var response = response(to: request)
    response.headers["X-Position"] = "\(hub.position)"
    return response
  }

  private func response(to request: Request) -> Response {
    // Also what is refused may have changed something.
    defer { publishChanges() }
    do {
      return try route(request)
    } catch let refusal as Refusal {
      return Response(refusal)
    } catch let error as KVError {
      return Response(Refusal(422, error.message))
    } catch {
      return Response(Refusal(500, "\(error)"))
    }
  }

  private func route(_ request: Request) throws -> Response {
    let names = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    switch (request.method, names.first, names.count) {
    case ("GET", "events", 1): return try events(request)
    case ("POST", "api", 2) where names[1] == "open": return try open()
    case ("POST", "api", 3): return try Response(json: perform(names[2], of: part(names[1]), request))
    case ("GET", "api", 3):
      if let document = try part(names[1]).document(names[2], request.query) { return document }
    case ("GET", _, 1): if let asset = assets.response(request.path) { return asset }
    case ("GET", _, _), ("POST", _, _): break
    default: throw Refusal(405, "\(request.method.prefix(20)) is not possible here, only GET and POST.")
    }
    throw Refusal(404, "There is nothing at \"\(request.path.prefix(200))\".")
  }

  private func part(_ name: String) throws(Refusal) -> any StudioPart {
    guard let part = parts.first(where: { $0.name == name }) else {
      throw Refusal(404, "There is no part \"\(name.prefix(100))\".")
    }
    return part
  }

  private func perform(_ action: String, of part: any StudioPart, _ request: Request) throws -> [String: Any] {
    guard request.headers["content-type"] == "application/json" else {
      throw Refusal(415, "The body of the request has to be application/json.")
    }
    guard let name = request.headers["x-window"], let number = request.headers["x-request"].flatMap({ Int($0) }) else {
      throw Refusal(
        400, "The header fields X-Window and X-Request are missing: a window, and the number of its request.")
    }
    guard let window = windows[name] else { throw Refusal.closedWindow(name) }
    guard number > window.lastRequest else {
      throw Refusal(
        409, "Request \(number) arrived after request \(window.lastRequest) of this window. It has no effect.")
    }
    guard let body = try KVDocument(data: request.body, format: .json).root as? [String: Any] else {
      throw Refusal(400, "The body of the request is not a JSON object.")
    }
    windows[name]?.lastRequest = number
    windows[name]?.leftAt = .now
    return try part.perform(action, body, in: name)
  }

  // MARK: Windows

  private func open() throws -> Response {
    closeLeft(longerThan: patience.most)
    if windows.count >= windowLimit { closeLeft(longerThan: patience.least, atMost: 1) }
    guard windows.count < windowLimit else {
      throw Refusal(503, "\(windowLimit) windows are open already. Close one.")
    }
    let name = String(Gate.randomToken().prefix(12))
    do {
      for part in parts { try part.open(name) }
      publishChanges()
      let states = try parts.reduce(into: [String: Any]()) { try $0[$1.name] = $1.state(of: name) }
      windows[name] = Window()
      return try Response(json: ["window": name, "run": run, "position": hub.position, "parts": states])
    } catch {
      for part in parts { part.close(name) }
      throw error
    }
  }

  /// Closes windows that have had no stream and sent nothing for some time, the oldest first.
  private func closeLeft(longerThan patience: Duration, atMost count: Int = .max) {
    let left = windows.filter { $1.reader == nil && $1.leftAt.duration(to: .now) > patience }
    for (name, _) in left.sorted(by: { $0.value.leftAt < $1.value.leftAt }).prefix(count) {
      windows[name] = nil
      for part in parts { part.close(name) }
    }
  }

  private func events(_ request: Request) throws -> Response {
    let names = (request.query["windows"] ?? "").split(separator: ",").map(String.init)
    guard request.query["run"] == run, let first = names.first(where: { windows[$0] != nil }) else {
      throw Refusal.closedWindow(names.first ?? "")
    }
    guard names.count <= windowLimit else { throw Refusal(400, "A stream has at most \(windowLimit) windows.") }
    guard let position = Int(request.query["after"] ?? "") else {
      throw Refusal(
        400, "The position is missing: the parameter \"after\", the last event that \"\(first)\" has received.")
    }
    return Response(eventsOf: names, after: position)
  }

  /// Registers the stream of some windows; a former one ends when it has no window left.
  func beginReading(_ names: [String]) -> (number: Int, wakeups: AsyncStream<Void>) {
    let (number, wakeups) = hub.wakeups()
    let formers = Set(names.compactMap { windows[$0]?.reader })
    for name in names { windows[name]?.reader = number }
    for former in formers where self.windows(readBy: former).isEmpty { hub.end(former) }
    return (number, wakeups)
  }

  /// Returns the windows whose events a stream sends.
  func windows(readBy number: Int) -> Set<String> { Set(windows.filter { $1.reader == number }.keys) }

  /// Returns whether a window has a stream.
  func isConnected(_ window: String) -> Bool { windows[window]?.reader != nil }

  /// Forgets a stream; its windows are closed some time later unless they connect again.
  func endReading(_ number: Int) {
    hub.end(number)
    for name in windows(readBy: number) {
      windows[name]?.reader = nil
      windows[name]?.leftAt = .now
    }
  }

  // MARK: Time

  /// Lets the parts do what time brings, until the task is cancelled.
  func tick() async throws {
    var count = 0
    while true {
      try await Task.sleep(for: .milliseconds(100))
      count += 1
      if count % 50 == 0 {
        closeLeft(longerThan: patience.most)
        hub.beat()
      }
      guard !windows.isEmpty else { continue }
      for part in parts { part.tick() }
      publishChanges()
    }
  }

  private func publishChanges() {
    for part in parts { part.publishChanges(to: hub) }
  }
}
