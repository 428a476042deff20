import FlyingSocks
import Foundation
import KVBinding
import KVDocuments

@testable import KVStudio

/// A studio that serves, and a client that sends it whatever a test wants, byte by byte.
struct TestServer {
  /// An answer.
  struct Answer {
    var status = 0
    var headers: [String: String] = [:]
    var text = ""

    /// The members of a JSON answer.
    var members: [String: Any] {
      ((try? KVDocument(data: Data(text.utf8)).root) ?? nil) as? [String: Any] ?? [:]
    }
    var error: String { members["error"] as? String ?? "" }
  }

  let studio: Studio
  let server: StudioServer

  var host: String { "127.0.0.1:\(server.port)" }
  static let token = "a-token-for-these-tests"

  /// Serves while a test runs.
  @MainActor static func run(
    directory: URL = FileManager.default.temporaryDirectory, limits: StudioServer.Limits = .init(),
    hub: EventHub = EventHub(), windowLimit: Int = 32,
    patience: Studio.Patience = .init(), clock: any Clock<Duration> = ContinuousClock(),
    _ body: @MainActor (TestServer) async throws -> Void
  ) async throws {
    let parts: [any StudioPart] = [try PickerPart(DefinitionFiles(below: directory))]
    let studio = Studio(parts, hub: hub, windowLimit: windowLimit, patience: patience)
    let server = try StudioServer(studio, token: token, limits: limits, clock: clock)
    let task = Task { try await server.run() }
    defer { task.cancel() }
    try await body(TestServer(studio: studio, server: server))
  }

  // MARK: Sending

  func connect() async throws -> AsyncSocket {
    try await AsyncSocket.connected(to: .inet(ip4: "127.0.0.1", port: server.port))
  }

  /// Sends bytes, and reads until the server closes.
  func send(_ bytes: Data) async throws -> Answer {
    let socket = try await connect()
    defer { try? socket.close() }
    try? await socket.write(bytes)
    return try await Self.answer(socket)
  }

  func send(_ text: String) async throws -> Answer { try await send(Data(text.utf8)) }

  static func answer(_ socket: AsyncSocket) async throws -> Answer {
    var bytes: [UInt8] = []
    while let new = try? await socket.read(atMost: 4096), !new.isEmpty { bytes += new }
    return answer(bytes)
  }

  static func answer(_ bytes: [UInt8]) -> Answer {
    let parts = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n\r\n")
    let lines = parts[0].components(separatedBy: "\r\n")
    var answer = Answer(text: parts.dropFirst().joined(separator: "\r\n\r\n"))
    answer.status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    for line in lines.dropFirst() {
      let sides = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if sides.count == 2 { answer.headers[sides[0].lowercased()] = sides[1] }
    }
    return answer
  }

  /// The fields of a request that the page would send.
  func fields(window: String? = nil, request: Int? = nil) -> [String: String] {
    var fields = [
      "Host": host, "Origin": "http://\(host)", "Authorization": "Bearer \(Self.token)",
      "Content-Type": "application/json",
    ]
    fields["X-Window"] = window
    fields["X-Request"] = request.map { "\($0)" }
    return fields
  }

  func get(_ path: String, _ changes: [String: String?] = [:]) async throws -> Answer {
    var fields = fields()
    for (name, value) in changes { fields[name] = value }
    return try await send("GET \(path) HTTP/1.1\r\n\(fields.map { "\($0): \($1)\r\n" }.joined())\r\n")
  }

  func post(
    _ path: String, _ body: String = "{}", window: String? = nil, request: Int? = nil,
    _ changes: [String: String?] = [:]
  ) async throws -> Answer {
    var fields = fields(window: window, request: request)
    fields["Content-Length"] = "\(body.utf8.count)"
    for (name, value) in changes { fields[name] = value }
    return try await send("POST \(path) HTTP/1.1\r\n\(fields.map { "\($0): \($1)\r\n" }.joined())\r\n\(body)")
  }

  /// A window that is open.
  struct Window: Sendable {
    let window: String
    let position: Int
    let text: String

    /// What its colour picker shows.
    var picker: [String: Any] {
      let parts = Answer(text: text).members["parts"] as? [String: Any]
      return parts?["picker"] as? [String: Any] ?? [:]
    }
  }

  /// Opens a window.
  func open() async throws -> Window {
    let answer = try await post("/api/open")
    let members = answer.members
    return Window(
      window: members["window"] as? String ?? "", position: members["position"] as? Int ?? -1, text: answer.text)
  }

  /// The target of the stream of some windows.
  @MainActor func stream(_ windows: String..., after position: Int) -> String {
    "/events?run=\(studio.run)&windows=\(windows.joined(separator: ","))&after=\(position)"
  }

  /// Opens the stream of a window, and returns its connection.
  @MainActor func connect(_ window: String, after position: Int) async throws -> AsyncSocket {
    let socket = try await connect()
    let fields = fields().map { "\($0): \($1)\r\n" }.joined()
    try await socket.write(Data("GET \(stream(window, after: position)) HTTP/1.1\r\n\(fields)\r\n".utf8))
    return socket
  }

  /// Waits until windows are read by a stream.
  @MainActor func waitForStreams(of windows: Window...) async throws {
    while !windows.allSatisfy({ studio.isConnected($0.window) }) { try await Task.sleep(for: .milliseconds(5)) }
  }

  /// Opens the stream of some windows, and reads it until it contains a text.
  @MainActor func events(_ windows: String..., after position: Int, until text: String) async throws -> String {
    let socket = try await connect(windows.joined(separator: ","), after: position)
    defer { try? socket.close() }
    var bytes: [UInt8] = []
    while let new = try? await socket.read(atMost: 4096), !new.isEmpty {
      bytes += new
      if String(decoding: bytes, as: UTF8.self).contains(text) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
