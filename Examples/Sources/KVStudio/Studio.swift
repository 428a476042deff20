import Foundation
import KVBinding

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
    /// When it was opened, or its stream has ended.
    var leftAt = ContinuousClock.now
  }

  let hub: EventHub
  private let parts: [any StudioPart]
  private let windowLimit: Int
  private let patience: Duration
  private var windows: [String: Window] = [:]
  private let assets = PageAssets()

  init(_ parts: [any StudioPart], hub: EventHub = EventHub(), windowLimit: Int = 32, patience: Duration = .seconds(60))
  {
    self.parts = parts
    self.hub = hub
    self.windowLimit = windowLimit
    self.patience = patience
  }

  // MARK: Requests

  /// Answers a request that the gate has let in.
  func respond(to request: Request) -> Response {
    do {
      let response = try route(request)
      publishChanges()
      return response
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
    guard let window = windows[name] else { throw gone(name) }
    guard number > window.lastRequest else {
      throw Refusal(
        409, "Request \(number) arrived after request \(window.lastRequest) of this window. It has no effect.")
    }
    guard let body = try KVDocument(data: request.body, format: .json).root as? [String: Any] else {
      throw Refusal(400, "The body of the request is no JSON object.")
    }
    windows[name]?.lastRequest = number
    return try part.perform(action, body, in: name)
  }

  private func gone(_ window: String) -> Refusal {
    Refusal(410, "The window \"\(window.prefix(40))\" is not open any more. Load the page again.")
  }

  // MARK: Windows

  private func open() throws -> Response {
    closeLeft(longerThan: windows.count < windowLimit ? patience : .zero)
    guard windows.count < windowLimit else {
      throw Refusal(503, "\(windowLimit) windows are open already. Close one.")
    }
    let name = String(Gate.randomToken().prefix(12))
    do {
      for part in parts { try part.open(name) }
      publishChanges()
      let states = try parts.reduce(into: [String: Any]()) { try $0[$1.name] = $1.state(of: name) }
      windows[name] = Window()
      return try Response(json: ["window": name, "position": hub.position, "parts": states])
    } catch {
      for part in parts { part.close(name) }
      throw error
    }
  }

  private func closeLeft(longerThan patience: Duration) {
    for (name, window) in windows where window.reader == nil && window.leftAt.duration(to: .now) > patience {
      windows[name] = nil
      for part in parts { part.close(name) }
    }
  }

  private func events(_ request: Request) throws -> Response {
    let name = request.query["window"] ?? ""
    guard windows[name] != nil else { throw gone(name) }
    guard let position = Int(request.headers["last-event-id"] ?? request.query["after"] ?? "") else {
      throw Refusal(400, "The position is missing: the parameter \"after\", or the header field Last-Event-ID.")
    }
    return Response(eventsOf: name, after: position)
  }

  /// Registers the stream of a window; a former one ends.
  func beginReading(_ window: String) -> (number: Int, wakeups: AsyncStream<Void>) {
    let (number, wakeups) = hub.wakeups()
    if let former = windows[window]?.reader { hub.end(former) }
    windows[window]?.reader = number
    return (number, wakeups)
  }

  /// Returns whether a stream is still that of its window.
  func isReading(_ window: String, _ number: Int) -> Bool { windows[window]?.reader == number }

  /// Returns whether a window has a stream.
  func isConnected(_ window: String) -> Bool { windows[window]?.reader != nil }

  /// Forgets the stream of a window, which is closed some time later unless it connects again.
  func endReading(_ window: String, _ number: Int) {
    hub.end(number)
    guard isReading(window, number) else { return }
    windows[window]?.reader = nil
    windows[window]?.leftAt = .now
  }

  // MARK: Time

  /// Lets the parts do what time brings, until the task is cancelled.
  func tick() async throws {
    var count = 0
    while true {
      try await Task.sleep(for: .milliseconds(100))
      count += 1
      if count % 50 == 0 {
        closeLeft(longerThan: patience)
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
