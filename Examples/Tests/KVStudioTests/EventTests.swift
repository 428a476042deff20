import FlyingSocks
import Foundation
import Testing

@testable import KVStudio

@MainActor @Suite("Events reach the windows, and a reader can resume", .serialized, .timeLimit(.minutes(1)))
struct EventTests {
  private func move(_ server: TestServer, _ window: String, _ number: Int, to value: Double) async throws {
    let answer = try await server.post(
      "/api/picker/event", #"{"control":"redSlider","value":\#(value),"event":"valueChanged"}"#, window: window,
      request: number)
    #expect(answer.status == 200)
  }

  @Test("What one window changes, another one is sent")
  func twoWindows() async throws {
    try await TestServer.run { server in
      let (first, second) = (try await server.open(), try await server.open())
      async let events = server.events(second.window, after: second.position, until: "#800000")
      try await move(server, first.window, 1, to: 128.0 / 255)
      let text = try await events
      #expect(text.contains("HTTP/1.1 200 OK") && text.contains("Content-Type: text/event-stream"))
      #expect(text.contains("event: picker.controls") && text.contains(#""redSlider":{"isBound":true"#))
      #expect(text.contains(#""titleLabel":{"isBound":true,"problem":null,"text":"Dark"}"#))
    }
  }

  @Test("A reader that connects again gets what it has missed, once")
  func resume() async throws {
    try await TestServer.run { server in
      let window = try await server.open()
      try await move(server, window.window, 1, to: 0.2)
      let first = try await server.events(window.window, after: window.position, until: "0.2")
      let numbers = first.split(separator: "\n").compactMap { $0.wholeMatch(of: #/id: (\d+)/#).flatMap { Int($0.1) } }
      let last = try #require(numbers.last)
      try await move(server, window.window, 2, to: 0.4)
      try await move(server, window.window, 3, to: 0.6)
      let second = try await server.events(window.window, after: last, until: "0.6")
      #expect(!second.contains("\"value\":0.2") && second.contains("\"value\":0.4"))
      #expect(second.contains("id: \(last + 1)\n"))
    }
  }

  @Test("A reader whose next event is gone, or that never was, is told to begin anew")
  func lost() async throws {
    try await TestServer.run(hub: EventHub(events: 3)) { server in
      let window = try await server.open()
      for number in 1...6 { try await move(server, window.window, number, to: Double(number) / 10) }
      for position in [window.position, -1, 1_000_000] {
        let text = try await server.events(window.window, after: position, until: "event: lost")
        #expect(text.contains("event: lost\ndata: {}\n\n") && !text.contains("picker.controls"))
      }
      let text = try await server.events(window.window, after: server.studio.hub.position - 1, until: "0.6")
      #expect(text.contains("picker.controls"))
    }
  }

  @Test("A reader that takes nothing is dropped, costs no memory, and the others go on")
  func slowReader() async throws {
    var limits = StudioServer.Limits()
    limits.timeout = .seconds(1)
    try await TestServer.run(limits: limits, hub: EventHub(events: 1000, bytes: 1 << 20)) { server in
      let hub = server.studio.hub
      let (slow, quick) = (try await server.open(), try await server.open())
      let socket = try await server.connect(slow.window, after: slow.position)
      _ = try await socket.read(atMost: 1024)
      // More than the buffers of the system take.
      let filler = String(repeating: "x", count: 60_000)
      var isDropped = false
      for _ in 0..<1000 where !isDropped {
        hub.publish("filler", for: nil, ["text": filler])
        try await Task.sleep(for: .milliseconds(10))
        isDropped = !server.studio.isConnected(slow.window)
      }
      #expect(isDropped)
      // A system with small buffers drops it before its next event has left the list.
      while hub.events(for: slow.window, after: slow.position) != .lost {
        hub.publish("filler", for: nil, ["text": filler])
      }
      try await move(server, quick.window, 1, to: 0.7)
      #expect(try await server.events(quick.window, after: hub.position - 2, until: "0.7").contains("picker.controls"))
      // It comes back, and finds that it has to begin anew.
      let again = try await server.events(slow.window, after: slow.position, until: "event: lost")
      #expect(again.contains("event: lost"))
      try socket.close()
    }
  }

  @Test("A window has one stream: a second one ends the first")
  func oneStream() async throws {
    try await TestServer.run { server in
      let window = try await server.open()
      async let first = server.events(window.window, after: window.position, until: "never")
      try await server.waitForStreams(of: window)
      async let second = server.events(window.window, after: window.position, until: "0.3")
      #expect(try await !first.contains("0.3"))
      try await move(server, window.window, 1, to: 0.3)
      #expect(try await second.contains("0.3"))
    }
  }

  @Test("The stream of windows that are not open, of another run, or without a position is refused")
  func refusals() async throws {
    try await TestServer.run { server in
      let run = server.studio.run
      let gone = try await server.get("/events?run=\(run)&windows=none&after=0")
      #expect(gone.status == 410 && gone.error.contains("not open any more"))
      #expect(gone.members["closed"] as? String == "window")
      let window = try await server.open().window
      for target in ["/events?windows=\(window)&after=0", "/events?run=other&windows=\(window)&after=0"] {
        #expect(try await server.get(target).status == 410)
      }
      for position in ["", "&after=", "&after=x", "&after=1e3", "&after=99999999999999999999"] {
        let answer = try await server.get("/events?run=\(run)&windows=\(window)\(position)")
        #expect(answer.status == 400 && answer.error.contains("position is missing"))
      }
      let many = Array(repeating: window, count: 33).joined(separator: ",")
      #expect(try await server.get("/events?run=\(run)&windows=\(many)&after=0").status == 400)
    }
  }

  @Test("One stream has the events of several windows, each named; one that is not open is told apart")
  func sharedStream() async throws {
    try await TestServer.run { server in
      let (first, second) = (try await server.open(), try await server.open())
      async let events = server.events(first.window, "gone", second.window, after: first.position, until: "#4D0000")
      try await server.waitForStreams(of: first, second)
      #expect(server.studio.isConnected(first.window) && server.studio.isConnected(second.window))
      try await move(server, first.window, 1, to: 0.3)
      let text = try await events
      #expect(text.contains("event: gone\nwindow: gone\n"))
      for window in [first.window, second.window] {
        #expect(text.contains("event: picker.controls\nwindow: \(window)\n"))
      }
    }
  }

  @Test("An answer names the position of the events that it includes, and the stream reaches it for every window")
  func positions() async throws {
    try await TestServer.run { server in
      let (first, second) = (try await server.open(), try await server.open())
      let event = #"{"control":"redSlider","value":0.4,"event":"valueChanged"}"#
      let answer = try await server.post("/api/picker/event", event, window: first.window, request: 1)
      let position = try #require(answer.headers["x-position"].flatMap { Int($0) })
      #expect(position == server.studio.hub.position && position > first.position)
      // Behind the event of the one window there is only that of the other one.
      for window in [first, second] {
        let text = try await server.events(window.window, after: window.position, until: "id: \(position)\n")
        #expect(text.contains("id: \(position)\n"))
      }
      let refused = try await server.post("/api/picker/event", "{}", window: first.window, request: 2)
      #expect(refused.status == 422 && refused.headers["x-position"] == "\(position)")
    }
  }
}
