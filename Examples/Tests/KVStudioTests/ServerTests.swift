import FlyingSocks
import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVStudio

@MainActor
@Suite(
  "The server answers its own page, and refuses everything else with a sentence", .serialized, .timeLimit(.minutes(1)))
struct ServerTests {
  @Test("The address opens the page, whose files contain no token, set no cookie and load nothing from elsewhere")
  func page() async throws {
    try await TestServer.run { server in
      #expect(server.server.address == "http://\(server.host)/?token=\(TestServer.token)")
      let page = try await server.get("/?token=\(TestServer.token)", ["Authorization": nil, "Origin": nil])
      #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
      for path in server.studio.assets.paths.sorted() {
        let asset = try await server.get(path, ["Authorization": nil, "Origin": nil])
        #expect(asset.status == 200)
        #expect(asset.headers["set-cookie"] == nil && !asset.text.contains(TestServer.token))
        #expect(asset.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(asset.headers["x-content-type-options"] == "nosniff" && asset.headers["cache-control"] == "no-store")
        #expect(asset.headers["cross-origin-resource-policy"] == "same-origin")
        #expect(!asset.text.contains("innerHTML") && !asset.text.contains("insertAdjacentHTML"))
      }
    }
  }

  #if os(Linux)
    @Test("It listens on the loopback address only")
    func loopback() async throws {
      try await TestServer.run { server in
        let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
        let port = String(server.server.port, radix: 16, uppercase: true)
        let places = table.split(separator: "\n").compactMap { line -> Substring? in
          let columns = line.split(separator: " ")
          return columns.count > 3 && columns[1].hasSuffix(":" + port) && columns[3] == "0A" ? columns[1] : nil
        }
        #expect(places.map { $0.prefix(8) } == ["0100007F"])
      }
    }
  #endif

  @Test("Another Host, Origin or site, and a missing or wrong token are refused")
  func gate() async throws {
    try await TestServer.run { server in
      let port = server.server.port
      for (changes, words) in [
        (["Host": "evil.example:\(port)"], "Host"), (["Host": "127.0.0.1"], "Host"),
        (["Host": "127.0.0.1:\(port).evil.example"], "Host"), (["Host": "127.0.0.1:\(port &+ 1)"], "Host"),
        (["Origin": "http://evil.example"], "another site"), (["Origin": "null"], "another site"),
        (["Origin": "https://\(server.host)"], "another site"), (["Origin": nil], "Origin is missing"),
        (["Origin": "http://localhost:\(port)"], "another site"), (["Sec-Fetch-Site": "cross-site"], "another site"),
        (["Sec-Fetch-Site": "same-site"], "another site"), (["Authorization": nil], "token"),
        (["Authorization": "Bearer wrong"], "token"), (["Authorization": "Bearer \(TestServer.token)x"], "token"),
        // What every port of this machine is sent opens nothing.
        (["Authorization": nil, "Cookie": "kv-studio-\(port)=\(TestServer.token)"], "token"),
        // Only the printed name is the name.
        (["Host": "localhost:\(port)", "Origin": "http://localhost:\(port)"], "Host"),
      ] as [([String: String?], String)] {
        let answer = try await server.post("/api/open", "{}", changes)
        #expect(answer.status == 403 && answer.error.contains(words), "\(changes) \(answer.error)")
      }
      let none: [String: String?] = ["Authorization": nil, "Origin": nil]
      #expect(try await server.get("/?token=wrong", none).status == 403)
      #expect(try await server.get("/studio.js", none.merging(["Sec-Fetch-Site": "same-site"]) { $1 }).status == 403)
      for path in ["/events", "/api/inspector/graph.svg?name=x", "/api/open", "/none"] {
        #expect(try await server.get("\(path)", none).status == 403)
      }
      #expect(try await server.get("/?token=\(TestServer.token)", ["Host": "localhost:\(port)"]).status == 403)
      #expect(try await server.post("/api/open").status == 200)
    }
  }

  @Test("The server proves that it knows the token, without sending it, before the page sends it")
  func identity() async throws {
    try await TestServer.run { server in
      let none: [String: String?] = ["Authorization": nil, "Origin": nil]
      let nonce = "0123456789abcdef"
      let answer = try await server.get("/identity?nonce=\(nonce)", none)
      let digits = try #require(answer.members["proof"] as? String)
      func proof(_ token: String, _ host: String) -> String {
        SHA256.keyed("kv studio \(host) \(nonce)".utf8, key: Array(token.utf8)).map { byte in
          String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
      }
      #expect(answer.status == 200 && digits == proof(TestServer.token, server.host))
      #expect(digits != proof("another-token", server.host) && digits != proof(TestServer.token, "127.0.0.1:1"))
      for path in ["/identity", "/identity?nonce=short", "/identity?nonce=\(String(repeating: "x", count: 101))"] {
        #expect(try await server.get(path, none).status == 400)
      }
      let rebound: [String: String?] = ["Host": "evil.example", "Authorization": nil, "Origin": nil]
      #expect(try await server.get("/identity?nonce=\(nonce)", rebound).status == 403)
    }
  }

  @Test("What a refused request has changed before is published with the refusal")
  func partialChanges() throws {
    final class Half: StudioPart {
      let name = "half"
      var isChanged = false
      func open(_ window: String) {}
      func close(_ window: String) {}
      func state(of window: String) -> [String: Any] { [:] }
      func perform(_ action: String, _ body: [String: Any], in window: String) throws -> [String: Any] {
        isChanged = true
        throw Refusal(422, "Only the first half is possible.")
      }
      func publishChanges(to hub: EventHub) {
        if isChanged { hub.publish("half", for: nil, [:]) }
        isChanged = false
      }
    }
    let studio = Studio([Half()])
    let open = studio.respond(to: Request(method: "POST", path: "/api/open"))
    guard case .data(let data) = open.content else { throw Refusal(500, "no answer") }
    let window = try #require((try KVDocument(data: data).root as? [String: Any])?["window"] as? String)
    let fields = ["content-type": "application/json", "x-window": window, "x-request": "1"]
    let answer = studio.respond(
      to: Request(method: "POST", path: "/api/half/x", headers: fields, body: Data("{}".utf8)))
    #expect(answer.status == 422 && answer.headers["X-Position"] == "1")
  }

  @Test("Malformed, oversized and unknown requests get a sentence, and change nothing")
  func refusals() async throws {
    try await TestServer.run { server in
      let window = try await server.open().window
      func post(_ path: String, _ body: String, _ number: Int, _ changes: [String: String?] = [:]) async throws
        -> TestServer.Answer
      { try await server.post(path, body, window: window, request: number, changes) }
      let event = #"{"control":"redSlider","value":0.5,"event":"valueChanged"}"#
      let answers = [
        (try await post("/api/picker/event", event, 1, ["Content-Type": "text/plain"]), 415, "application/json"),
        (try await post("/api/picker/event", event, 1, ["X-Request": nil]), 400, "X-Request"),
        (try await post("/api/picker/event", event, 1, ["X-Request": "one"]), 400, "X-Request"),
        (try await post("/api/picker/event", event, 1, ["X-Window": "other"]), 410, "not open any more"),
        (try await post("/api/picker/event", "{", 1), 422, "line 1"),
        (try await post("/api/picker/event", "[1]", 1), 400, "not a JSON object"),
        (try await post("/api/picker/event", "", 1), 422, "line 1"),
        (try await post("/api/picker/event", String(repeating: "[", count: 5000), 1), 422, "200"),
        (
          try await post("/api/picker/event", #"{"control":"redSlider","value":2,"event":"valueChanged"}"#, 2), 422,
          "from 0 to 1"
        ),
        (
          try await post("/api/picker/event", #"{"control":"redSlider","value":"x","event":"valueChanged"}"#, 3), 422,
          "Double"
        ),
        (
          try await post("/api/picker/event", #"{"control":"redSlider","value":0.5,"event":"toString"}"#, 4), 422,
          "committed"
        ),
        (
          try await post("/api/picker/event", #"{"control":"title","value":1,"event":"committed"}"#, 5), 422,
          "no control"
        ),
        (
          try await post("/api/picker/event", #"{"control":"titleLabel","value":"","event":"committed"}"#, 6), 422,
          "only shows"
        ),
        (try await post("/api/picker/explode", "{}", 7), 404, "no action"),
        (try await post("/api/nothing/event", event, 8), 404, "no part"),
        (try await post("/api/picker/bindings", #"{"file":"../../etc/passwd"}"#, 9), 403, "not below"),
        (try await post("/api/picker/bindings", #"{"file":"/etc/passwd"}"#, 10), 403, "not below"),
        (try await post("/api/picker/bindings", #"{"file":"none.json"}"#, 11), 404, "no file"),
        (try await server.get("/../Package.swift"), 404, "nothing"),
        (try await server.get("/%2e%2e/%2e%2e/etc/passwd"), 404, "nothing"),
        (try await server.get("/index.html"), 404, "nothing"),
        (
          try await server.send(
            "DELETE / HTTP/1.1\r\nHost: \(server.host)\r\nAuthorization: Bearer \(TestServer.token)\r\n\r\n"
          ), 405, "GET and POST"
        ),
        (try await server.send("nonsense\r\n\r\n"), 400, "first line"),
      ]
      for (index, (answer, status, words)) in answers.enumerated() {
        #expect(answer.status == status && answer.error.contains(words), "\(index): \(answer.status) \(answer.error)")
      }
      let controls = try await server.open().picker["controls"] as? [String: [String: Any]]
      #expect(controls?["redSlider"]?["value"] as? Double == 0)
      #expect(controls?["hexField"]?["text"] as? String == "#000000")
    }
  }

  @Test("A body that is too long is refused before it is read, and the answer arrives nevertheless")
  func oversized() async throws {
    var limits = StudioServer.Limits()
    limits.body = 1000
    try await TestServer.run(limits: limits) { server in
      let answer = try await server.post("/api/open", String(repeating: "x", count: 300_000))
      #expect(answer.status == 413 && answer.error.contains("1000"))
    }
  }

  @Test("The body of a request without the token is not waited for")
  func bodyBehindGate() async throws {
    try await TestServer.run { server in
      let head =
        "POST /api/open HTTP/1.1\r\nHost: \(server.host)\r\nOrigin: http://\(server.host)\r\nContent-Length: 1000\r\n"
      let start = ContinuousClock.now
      let answer = try await server.send(head + "Authorization: Bearer wrong\r\n\r\n")
      #expect(answer.status == 403 && start.duration(to: .now) < .seconds(5))
    }
  }

  @Test("A request that does not arrive in time is refused")
  func slow() async throws {
    var limits = StudioServer.Limits()
    limits.timeout = .milliseconds(300)
    try await TestServer.run(limits: limits) { server in
      let answer = try await server.send("POST /api/open HTTP/1.1\r\nHost: ")
      #expect(answer.status == 408 && answer.error.contains("not complete"))
    }
  }

  @Test("Connections that send nothing keep nobody out: the oldest one makes room")
  func idleConnections() async throws {
    var limits = StudioServer.Limits()
    limits.connections = 3
    try await TestServer.run(limits: limits) { server in
      var idle: [AsyncSocket] = []
      for _ in 0..<3 { idle.append(try await server.connect()) }
      try await Task.sleep(for: .seconds(1))
      let oldest = idle.removeFirst()
      #expect(try await server.post("/api/open").status == 200)
      // It is closed without an answer, and the others may still send their requests.
      #expect(try await TestServer.answer(oldest).status == 0)
      try await idle[1].write(Data("GET / HTTP/1.1\r\nHost: \(server.host)\r\n\r\n".utf8))
      #expect(try await TestServer.answer(idle[1]).status == 200)
      for socket in idle { try socket.close() }
    }
  }

  @Test("No more connections are served at once than the limit allows")
  func connections() async throws {
    var limits = StudioServer.Limits()
    limits.connections = 3
    try await TestServer.run(limits: limits) { server in
      var idle: [AsyncSocket] = []
      for _ in 0..<3 {
        let window = try await server.open()
        idle.append(try await server.connect(window.window, after: window.position))
        try await server.waitForStreams(of: window)
      }
      let answer = try await server.get("/")
      #expect(answer.status == 503 && answer.error.contains("Too many connections"))
      #expect(answer.headers["retry-after"] == "1" && answer.headers["connection"] == "close")
      for socket in idle { try socket.close() }
      var status = 0
      for _ in 0..<50 where status != 200 {
        try await Task.sleep(for: .milliseconds(50))
        status = try await server.get("/").status
      }
      #expect(status == 200)
    }
  }

  @Test("A request that arrives behind a later one of its window has no effect; concurrent ones have one order")
  func order() async throws {
    try await TestServer.run { server in
      let window = try await server.open().window
      @Sendable func move(_ value: Double, _ number: Int) async throws -> TestServer.Answer {
        try await server.post(
          "/api/picker/event", #"{"control":"redSlider","value":\#(value),"event":"valueChanged"}"#, window: window,
          request: number)
      }
      #expect(try await move(0.5, 2).members["value"] as? Double == 0.5)
      let late = try await move(0.25, 1)
      #expect(late.status == 409 && late.error.contains("Request 1 arrived after request 2"))
      #expect(try await move(0.25, 2).status == 409)
      let tasks = (3...22).map { number in Task { try await move(Double(number) / 100, number).status } }
      var statuses: [Int] = []
      for task in tasks { statuses.append(try await task.value) }
      #expect(statuses.allSatisfy { $0 == 200 || $0 == 409 } && statuses.contains(200))
      let controls = try await server.open().picker["controls"] as? [String: [String: Any]]
      // The last request is always later than the others.
      #expect(controls?["redSlider"]?["value"] as? Double == 0.22)
    }
  }

  @Test(
    "No more windows are open than the limit allows: the one that was left first makes room, and none that connects")
  func windows() async throws {
    let patience = Studio.Patience(least: .seconds(3))
    try await TestServer.run(windowLimit: 2, patience: patience) { server in
      let first = try await server.open()
      let socket = try await server.connect(first.window, after: 0)
      _ = try await socket.read(atMost: 4096)
      let second = try await server.open()
      // The second one has no stream yet: it is about to connect.
      let refused = try await server.post("/api/open")
      #expect(refused.status == 503 && refused.error.contains("2 windows are open already"))
      #expect(try await server.post("/api/picker/event", "{}", window: second.window, request: 1).status == 422)
      try await Task.sleep(for: .milliseconds(3100))
      let third = try await server.open()
      #expect(second.window != third.window && !third.window.isEmpty)
      let gone = try await server.post("/api/picker/event", "{}", window: second.window, request: 2)
      #expect(gone.status == 410 && gone.members["closed"] as? String == "window")
      #expect(try await server.post("/api/picker/event", "{}", window: first.window, request: 1).status == 422)
      try socket.close()
    }
  }

  @Test("A window that has no stream and sends requests is not left")
  func requestsKeepWindow() async throws {
    try await TestServer.run(patience: Studio.Patience(most: .seconds(3))) { server in
      let (kept, left) = (try await server.open(), try await server.open())
      for request in 1...5 {
        try await Task.sleep(for: .seconds(1))
        let answer = try await server.post("/api/picker/event", "{}", window: kept.window, request: request)
        #expect(answer.status == 422)
        _ = try await server.open()
      }
      #expect(try await server.post("/api/picker/event", "{}", window: left.window, request: 1).status == 410)
    }
  }
}
