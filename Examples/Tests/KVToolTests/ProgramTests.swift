import Foundation
import Testing

@Suite("The program kv, run as a person does", .timeLimit(.minutes(2)))
struct ProgramTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.write(#"{"name": "shop", "items": [{"price": 1.0}, {"price": 2}], "a.json": 1}"#, to: "shop.json")
  }

  private func run(_ command: String, input: String = "") throws -> Tool.Outcome {
    try tool.shell(command, input: input)
  }

  @Test(
    "Output that cannot be written is an error with exit code 2",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
    arguments: [
      "kv get name shop.json", "kv set name x shop.json", "kv keys items shop.json", "kv tour", "kv --help",
      "kv --version",
    ])
  func fullOutput(command: String) throws {
    let outcome = try run("\(command) > /dev/full")
    #expect(
      outcome
        == Tool.Outcome(
          code: 2, output: "", error: "kv: cannot write to standard output: No space left on device.\n"))
  }

  @Test("Output that is closed is an error with exit code 2")
  func closedOutput() throws {
    let outcome = try run("kv get name shop.json >&-")
    #expect(outcome.code == 2 && outcome.error.hasPrefix("kv: cannot write to standard output: "))
  }

  @Test(
    "A document may be a pipe, a FIFO or standard input, under any name",
    arguments: [
      "kv get name -f <(cat shop.json)", "kv get name <(cat shop.json)",
      "mkfifo pipe; cat shop.json > pipe & kv get name pipe",
      "cat shop.json | kv get name", "cat shop.json | kv get name -", "kv get name /dev/stdin < shop.json",
    ])
  func pipes(command: String) throws {
    #expect(try run(command) == Tool.Outcome(code: 0, output: "\"shop\"\n", error: ""))
  }

  @Test("An empty device is an empty document", arguments: ["-f /dev/null", "/dev/null"])
  func device(file: String) throws {
    let reason = "not JSON: at line 1, column 1, expected a value, found the end of the document."
    #expect(
      try run("kv get name \(file)")
        == Tool.Outcome(code: 1, output: "", error: "kv: cannot read \"/dev/null\": \(reason)\n"))
  }

  @Test("The document is the last argument of every command, or that of --file")
  func places() throws {
    for (command, output) in [
      ("get name FILE", "\"shop\"\n"), ("get items.@sum.price FILE", "3.0\n"),
      ("keys items FILE", "price: integer or number\n"),
      ("set name -5 FILE | grep -c -- '\"name\": *-5'", "1\n"),
      ("check FILE 2>&1 | grep -c missing", "1\n"),
    ] {
      for file in ["shop.json", "-f shop.json", "--file shop.json"] {
        let outcome = try run("kv \(command.replacingOccurrences(of: "FILE", with: file))")
        #expect(outcome.output == output, "\(command) \(file): \(outcome)")
      }
    }
    let twice = try run("kv get name shop.json -f shop.json")
    #expect(twice.code == 2)
    #expect(twice.error.contains("The document is given twice: as \"shop.json\" and with '--file'."))
  }

  @Test(
    "The file is the last argument of a watch, too, or that of --file",
    arguments: ["name live.json", "name -f live.json"])
  func watching(arguments: String) throws {
    try tool.write(#"{"name": "a"}"#, to: "live.json")
    let outcome = try run(
      """
      kv watch \(arguments) --interval 0.02 --count 1 2> notes & for i in $(seq 500); do
      grep -q Ctrl notes 2> /dev/null && break; sleep 0.02; done; echo '{"name": "b"}' > live.json; wait
      """)
    #expect(outcome.output == "~ name: \"a\" → \"b\"\n")
  }

  @Test("A path that is the name of a file asks whether --file was meant")
  func files() throws {
    let hint = #" "shop.json" is a file: did you mean --file shop.json?"# + "\n"
    for command in [
      "kv get shop.json", "kv keys shop.json", "kv set shop.json x", "kv get shop.json name", "kv watch shop.json name",
    ] {
      let outcome = try run(command, input: "{\"name\": 1}")
      #expect(outcome.code == 1 && outcome.output.isEmpty)
      #expect(outcome.error.hasSuffix(hint), "\(command): \(outcome.error)")
      #expect(outcome.error.split(separator: "\n").count == 1)
    }
    // A path that leads to something is what was meant, and one that is no file asks nothing.
    #expect(try run("kv get shop.json", input: #"{"shop": {"json": 1}}"#).output == "1\n")
    let missing = try run("kv get nothing", input: "{}")
    #expect(missing.error == "kv: there is no \"nothing\" in the document. Its keys: none.\n")
  }

  @Test("A file in a directory that is not there names the directory")
  func directories() throws {
    #expect(try run("kv get a b/c.json").error == "kv: cannot read \"b/c.json\": there is no directory \"b\".\n")
  }

  @Test("A terminal as standard input says that it waits")
  func terminal() throws {
    let terminal = try #require(Terminal())
    let process = tool.process(Tool.path, ["get", "shop.json"])
    let output = Pipe()
    (process.standardInput, process.standardOutput, process.standardError) = (terminal.handle, output, terminal.handle)
    try process.run()
    let hint = #""shop.json" is a file: did you mean --file shop.json?"#
    let note = try terminal.read(until: "json?")
    #expect(note.contains("kv: reading the document from standard input; Ctrl-D ends it. \(hint)"))
    try terminal.type("{\"shop\": {\"json\": 7}}\n\u{4}")
    process.waitUntilExit()
    #expect(try output.fileHandleForReading.readToEnd() == Data("7\n".utf8))
    #expect(process.terminationStatus == 0)
  }

  @Test("What takes more than two seconds says on a terminal how far it is, and takes that back at the end")
  func progress() throws {
    let terminal = try #require(Terminal())
    let process = tool.process(Tool.path, ["get", "a"])
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, terminal.handle)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("{\"a\":".utf8))
    // Longer than the two seconds after which it is heard of, since the process may start late.
    Thread.sleep(forTimeInterval: 4)
    try input.fileHandleForWriting.write(contentsOf: Data(" 1".utf8))
    #expect(try terminal.read(until: "read").contains("kv: 0 MB read"))
    try input.fileHandleForWriting.write(contentsOf: Data("}".utf8))
    try input.fileHandleForWriting.close()
    #expect(try terminal.read(until: "\r\u{1B}[K").hasSuffix("\r\u{1B}[K"))
    process.waitUntilExit()
    #expect(try output.fileHandleForReading.readToEnd() == Data("1\n".utf8))
  }

  @Test("Where standard error is no terminal, nothing is said of progress")
  func quiet() throws {
    let outcome = try run("(printf '{\"a\":'; sleep 2.2; printf 1; sleep 0.1; printf '}') | kv get a")
    #expect(outcome == Tool.Outcome(code: 0, output: "1\n", error: ""))
  }

  @Test("The version, and the command that was meant")
  func commands() throws {
    let version = try run("kv --version")
    #expect(version.code == 0 && version.output.wholeMatch(of: #/kv \d+\.\d+\.\d+\n/#) != nil)
    let list = "The commands: get, set, keys, query, watch, check, tour, studio, help.\n"
    for (name, hint) in [("gett", " Did you mean \"get\"?"), ("hlep", " Did you mean \"help\"?"), ("fetch", "")] {
      #expect(
        try run("kv \(name) a b")
          == Tool.Outcome(code: 2, output: "", error: "kv: there is no command \"\(name)\".\(hint) \(list)"))
    }
  }

  @Test("An empty key is quoted in lists")
  func emptyKeys() throws {
    let document = #"{"": 1, "a": 2}"#
    #expect(try run("kv get b", input: document).error == "kv: there is no \"b\" in the document. Its keys: \"\", a.\n")
    #expect(try run("kv keys", input: document).output == "[\"\"]: integer\na: integer\n")
    #expect(try run(#"kv get '[""]'"#, input: document).output == "1\n")
  }

  @Test("Numbers come out as they went in, or are refused, and so are names that occur twice")
  func numbers() throws {
    let document = #"{"a": [1, 1.0, 1e16, 123456789012345678901234567890, 9007199254740993, -0.0], "b": 0}"#
    #expect(
      try run("kv set b 1", input: document).output
        == #"{"a": [1, 1.0, 1e16, 123456789012345678901234567890, 9007199254740993, -0.0], "b": 1}"#)
    let long = try run("kv get b", input: #"{"a": 1\#(String(repeating: "0", count: 39)), "b": 0}"#)
    #expect(long.code == 1 && long.error.contains("has more than 128 bits"))
    let twice = try run("kv get b", input: #"{"a": {"x": 1, "x": 2}, "b": 0}"#)
    #expect(
      twice.error == """
        kv: cannot read standard input: not JSON: at a, line 1, column 16, the object has a member "x" already; take one of \
        the two out.

        """)
  }
}
