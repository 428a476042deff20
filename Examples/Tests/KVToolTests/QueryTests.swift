import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVTool

@Suite("Tables: kv query", .timeLimit(.minutes(2)))
struct QueryTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  private func run(_ options: String, _ json: String) throws -> Tool.Outcome {
    try tool.shell("kv query \(options)", input: json)
  }

  // MARK: Options

  @Test("Keys are split at commas and colons that are not in brackets")
  func keyLists() throws {
    let list = KeyList(option: "sort", text: "-a:ascending")
    #expect(throws: ToolFailure.self) { try list.descriptors() }
    let sorted = KeyList(option: "sort", text: #"-a.b , ["x,:\"]y"] : natural:nullsLast,["-z"]:descending"#)
    #expect(
      try sorted.descriptors() == [
        .descending("a.b"), .ascending(#"["x,:\"]y"]"#, .natural, nils: .last), .descending(#"["-z"]"#),
      ])
  }

  @Test(
    "A mark stands below the character that is wrong, in the columns of a terminal",
    arguments: [
      ("a = ?", 4, "  a = ?", "      ^"), ("日本 ?", 3, "  日本 ?", "       ^"), ("a\n\t?", 3, "  a  ?", "     ^"),
      ("ab", 2, "  ab", "    ^"), ("", 0, "  ", "  ^"),
    ])
  func marks(text: String, offset: Int, shown: String, mark: String) {
    #expect(ToolFailure("wrong", at: offset, of: text).excerpt == [shown, mark])
  }

  @Test("A long condition is shown around the mark")
  func longConditions() throws {
    let text = String(repeating: "a == 1 AND ", count: 30) + "? == 2" + String(repeating: " AND a == 1", count: 30)
    let excerpt = ToolFailure("wrong", at: 330, of: text).excerpt
    #expect(excerpt[0].hasPrefix("  …") && excerpt[0].hasSuffix("…") && excerpt[0].count < 100)
    #expect(excerpt[0].dropFirst(excerpt[1].count - 1).first == "?")
    #expect(ToolFailure("wrong", at: 9, of: "short").excerpt.isEmpty)
  }

  // MARK: Tables

  @Test("Columns are aligned by what a terminal shows, cells are cut, and no line ends in blanks")
  func alignment() throws {
    let long = String(repeating: "x", count: 100)
    let json =
      #"[{"a": "日本", "b": 1}, {"a": "e\#u{301}", "b": -20.5}, {"a": "l\n\u001b", "b": null}, {"a": "\#(long)"}]"#
    let cut = String(repeating: "x", count: 59)
    #expect(
      try run("-f - --sort b", json).output == """
        a\(String(repeating: " ", count: 59))      b
        l\\n\\u{1B}
        \(cut)…
        e\u{301}\(String(repeating: " ", count: 59))  -20.5
        日本\(String(repeating: " ", count: 56))      1

        """)
  }

  @Test("CSV is read back by its rules, whatever is in the cells")
  func csv() throws {
    var random = RandomDocument(seed: 15)
    for _ in 0..<20 {
      let texts = ["", "a", "a,b", "\"", "x\r\ny", "\n", " z ", "é\"\""]
      let rows = (0..<5).map { _ in
        [
          "a": texts.randomElement(using: &random.random) as Any,
          "b": texts.randomElement(using: &random.random) as Any,
        ]
      }
      let json = String(decoding: try KVDocument(rows).data(), as: UTF8.self)
      let output = try run("-f - -o csv --select a,b", json).output
      #expect(
        Self.records(output) == [["a", "b"]] + rows.map { [$0["a"] as? String ?? "", $0["b"] as? String ?? ""] })
    }
    #expect(try run("-f - -o csv --select a", #"[{"a": null}, {"a": ""}]"#).output == "a\r\n\"\"\r\n\"\"\r\n")
    #expect(try run("-f - -o csv", #"[{"a": null, "b": ""}]"#).output == "a,b\r\n,\"\"\r\n")
  }

  /// Reads CSV by the grammar of RFC 4180.
  private static func records(_ text: String) -> [[String]] {
    var (records, record, field, isQuoted) = ([[String]](), [String](), "", false)
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if isQuoted {
        if scalar != "\"" {
          field.unicodeScalars.append(scalar)
        } else if rest.first == "\"" {
          field.unicodeScalars.append(rest.removeFirst())
        } else {
          isQuoted = false
        }
      } else if scalar == "\"" {
        isQuoted = true
      } else if scalar == "," || scalar == "\r" {
        record.append(field)
        field = ""
        if scalar == "\r" {
          #expect(rest.popFirst() == "\n")
          records.append(record)
          record = []
        }
      } else {
        field.unicodeScalars.append(scalar)
      }
    }
    return records
  }

  @Test("JSON lines are the rows, read back")
  func jsonLines() throws {
    var random = RandomDocument(seed: 4)
    for _ in 0..<20 {
      let rows = (0..<5).map { _ in random.object() }
      let output = try run("-f - -o jsonl", String(decoding: try KVDocument(rows).data(), as: UTF8.self)).output
      let read = try output.split(separator: "\n").map { try KVDocument(data: Data($0.utf8)).root }
      #expect(read.map { DocumentContent($0) } == rows.map { DocumentContent($0) })
    }
  }

  @Test("A row is found by where it stands, whatever was left out before")
  func locations() throws {
    let json = #"{"rows": [{"a": 1, "b": 1}, {"a": 0}, {"a": 1, "b": {"c": 1}}], "table": {"x": {"c": 1}, "y": 2}}"#
    for (options, line) in [
      ("rows --where 'a == 1' --sort b.c", #""rows[0]": "#), ("rows --where 'a == 1' --group b.c", #""rows[0]": "#),
      ("rows --where 'b.c == 1'", #""rows[0]": "#), ("rows --select b.c", "--select: "),
      ("table --where 'value.c == 1'", #""table.y": "#), ("rows --sort b", #"cannot sort by "b", which is "#),
    ] {
      let outcome = try run(options, json)
      #expect(outcome.code == 1 && outcome.output.isEmpty)
      #expect(outcome.error.hasPrefix("kv: \(line)"), "\(options): \(outcome.error)")
      #expect(outcome.error.split(separator: "\n").count == 1)
    }
  }

  @Test("Keys are looked for in the elements of the arrays of all rows")
  func keys() throws {
    let json = #"[null, {"orders": []}, {"orders": [{"total": 3}, {}]}, {"orders": null}]"#
    #expect(
      try run("-f - --where 'ANY orders.total > 2' -o jsonl", json).output == #"{"orders":[{"total":3},{}]}"# + "\n")
    let error = try run("-f - --where 'orders.@sum.totl > 2'", json).error
    #expect(
      error == #"kv: there is no "totl" in "orders.@sum" of the document. Did you mean "total"? Its keys: total."#
        + "\n")
    #expect(try run("-f - --select orders.x", #"[{"orders": []}]"#).code == 0)
  }

  // MARK: Long work

  @Test("A terminal hears of work that takes long, and is cleared before the table")
  func progress() throws {
    let terminal = try #require(Terminal())
    let process = tool.process(Tool.path, ["query", "-f", "-", "--where", "a > 1"])
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, terminal.handle)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("[{\"a\": 1},".utf8))
    // Longer than the two seconds after which it is heard of, since the process may start late.
    Thread.sleep(forTimeInterval: 4)
    try input.fileHandleForWriting.write(contentsOf: Data(" {\"a\": 2}]".utf8))
    try input.fileHandleForWriting.close()
    let end = "printing 1 rows\u{1B}[K\r\u{1B}[K"
    let seen = try terminal.read(until: end)
    #expect(seen.contains("kv: filtering 2 rows") && seen.hasSuffix(end))
    process.waitUntilExit()
    #expect(try output.fileHandleForReading.readToEnd() == Data("a\n2\n".utf8))
  }

  @Test("Many rows and many groups take time that grows with them")
  func growth() throws {
    func seconds(_ count: Int) throws -> Double {
      let rows = (0..<count).map { #"{"id": \#($0 &* 7919 % count), "name": "n\#($0)"}"# }
      try tool.write("[\(rows.joined(separator: ","))]", to: "rows.json")
      let start = ContinuousClock.now
      let outcome = try tool.shell("kv query -f rows.json --where 'id >= 0' --sort id --group name | tail -n 2")
      #expect(outcome.code == 0 && outcome.output.contains("\(count - 1)"))
      let time = (ContinuousClock.now - start).components
      return Double(time.seconds) + Double(time.attoseconds) / 1e18
    }
    let (few, many) = (try seconds(2_000), try seconds(32_000))
    // Sixteen times the rows; a quadratic step would take 256 times as long.
    #expect(many < max(few, 0.1) * 80)
  }
}
