import Foundation
import KVBinding
import Testing

@testable import KVStudio

@MainActor @Suite("The table over HTTP: windows are sent changes by index")
struct TableServerTests {
  /// Serves a table while a test runs.
  private func run(_ body: @MainActor (TestServer) async throws -> Void) async throws {
    let studio = Studio([TablePart(TableModel.survey(count: 5000))])
    let server = try StudioServer(studio, token: TestServer.token)
    let task = Task { try await server.run() }
    defer { task.cancel() }
    try await body(TestServer(studio: studio, server: server))
  }

  @Test("An edit in one window moves the row in another one, which is sent two indexes and one row")
  func following() async throws {
    try await run { server in
      let (first, second) = (try await server.open(), try await server.open())
      func ask(_ action: String, _ body: String, _ number: Int, of window: String) async throws -> [String: Any] {
        let answer = try await server.post("/api/table/\(action)", body, window: window, request: number)
        #expect(answer.status == 200, "\(action): \(answer.error)")
        return answer.members
      }
      _ = try await ask("show", "{}", 1, of: first.window)
      let state = try await ask("show", "{}", 1, of: second.window)
      #expect(state["count"] as? Int == 5000 && (state["columns"] as? [Any])?.count == 6)
      _ = try await ask("sort", #"{"column": "name", "adds": false}"#, 2, of: first.window)
      let rows = try await ask("rows", #"{"first": 40, "count": 1}"#, 3, of: first.window)["rows"] as? [[String: Any]]
      let id = try #require(rows?.first?["id"] as? Int)
      _ = try await ask("select", #"{"mode": "only", "id": \#(id), "index": 40}"#, 4, of: first.window)
      let position = server.studio.hub.position
      _ = try await ask("edit", #"{"column": "name", "text": "\uFF5E last", "commits": true}"#, 5, of: first.window)
      let events = try await server.events(second.window, after: position, until: "insertion")
      #expect(events.contains(#"{"indexes":[40],"kind":"removal"}"#) && events.contains(#""indexes":[4999]"#))
      #expect(events.components(separatedBy: #""cells""#).count == 2 && events.utf8.count < 3000)
      #expect(events.contains("\u{FF5E} last") && !events.contains("table.selection"))
    }
  }

  @Test("Malformed requests get a sentence, and change nothing")
  func refusals() async throws {
    try await run { server in
      let window = try await server.open().window
      var number = 0
      func refusal(_ action: String, _ body: String, status: Range<Int> = 400..<500) async throws -> String {
        number += 1
        let answer = try await server.post("/api/table/\(action)", body, window: window, request: number)
        #expect(status.contains(answer.status), "\(action) \(body): \(answer.status)")
        return answer.error
      }
      #expect(try await refusal("rows", #"{"first": 0, "count": 1}"#).contains("not shown"))
      #expect(try await refusal("show", "{}", status: 200..<201) == "")
      for (action, body, words) in [
        ("rows", #"{"first": -1, "count": 1}"#, "first"), ("rows", #"{"first": 0, "count": 1e9}"#, "200"),
        ("rows", "{}", "first"), ("select", #"{"mode": "only"}"#, "\"id\""), ("select", #"{"mode": 7}"#, "\"mode\""),
        ("select", #"{"mode": "only", "id": 9223372036854775807}"#, "not in the table"), ("sort", "{}", "\"column\""),
        ("sort", #"{"column": "selection", "adds": true}"#, "no column"), ("group", #"{"column": "x"}"#, "no column"),
        ("filter", #"{"text": "SELF != NULL"}"#, "not permitted"), ("edit", #"{"column": "name"}"#, "\"text\""),
        ("edit", #"{"column": "name", "text": "x", "commits": true}"#, "Nothing is selected"),
        ("remove", "{}", "No row is selected"), ("explode", "{}", "no action"),
      ] {
        let sentence = try await refusal(action, body)
        #expect(sentence.contains(words), "\(action) \(body): \(sentence)")
      }
      let last = #"{"first": 9223372036854775807, "count": 200}"#
      #expect(try await refusal("rows", last, status: 200..<201) == "")
      number += 1
      let answer = try await server.post(
        "/api/table/rows", #"{"first": 4999, "count": 9}"#, window: window, request: number)
      #expect(answer.members["count"] as? Int == 5000 && (answer.members["rows"] as? [Any])?.count == 1)
    }
  }
}
