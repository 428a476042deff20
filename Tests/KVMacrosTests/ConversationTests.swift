import Foundation
import Testing

@testable import KVMacros

/// The messages of compilers from Swift 6.1 on, and the answers (MOD.9).
@Suite struct ConversationTests {
  /// Sends messages to a conversation and returns the answers.
  private func answers(to messages: [String]) throws -> [[String: Any]] {
    let bodies = messages.map { Data($0.utf8) }
    return try converse(bodies.map { header($0.count) + $0 }.reduce(Data(), +))
  }

  private func header(_ count: Int) -> Data { Data((0..<8).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }) }

  private func converse(_ input: Data) throws -> [[String: Any]] {
    let toPlugin = Pipe()
    let fromPlugin = Pipe()
    try toPlugin.fileHandleForWriting.write(contentsOf: input)
    try toPlugin.fileHandleForWriting.close()
    var conversation = Conversation(input: toPlugin.fileHandleForReading, output: fromPlugin.fileHandleForWriting)
    try conversation.run()
    try fromPlugin.fileHandleForWriting.close()
    var output = try fromPlugin.fileHandleForReading.readToEnd() ?? Data()
    var answers: [[String: Any]] = []
    while output.count >= 8 {
      let count = output.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
      let body = output.dropFirst(8).prefix(count)
      answers.append(try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any]))
      output = Data(output.dropFirst(8 + count))
    }
    return answers
  }

  private func syntax(_ source: String, offset: Int = 0, kind: String = "declaration") -> String {
    let text = String(decoding: (try? JSONEncoder().encode(source)) ?? Data(), as: UTF8.self)
    return #"""
      {"kind":"\#(kind)","source":\#(text),"location":{"fileID":"M/f.swift","fileName":"f.swift","offset":\#(offset),"line":1,"column":1}}
      """#
  }

  private func attached(_ type: String, _ role: String, _ declaration: String, more: String = "") -> String {
    #"""
    {"expandAttachedMacro":{"macro":{"moduleName":"KVMacros","typeName":"\#(type)","name":"\#(type)"},
    "macroRole":"\#(role)","discriminator":"$s","attributeSyntax":\#(syntax("@\(type)", kind: "attribute")),
    "declSyntax":\#(syntax(declaration))\#(more)}}
    """#
  }

  @Test("The capability is told to compilers that say theirs, and to those that do not")
  func capability() throws {
    for message in [
      #"{"getCapability":{}}"#, #"{"getCapability":{"capability":{"protocolVersion":7}}}"#,
      #"{"getCapability":{"capability":{"protocolVersion":99,"new":[1]}}}"#,
    ] {
      let answer = try #require(try answers(to: [message]).first?["getCapabilityResult"] as? [String: Any])
      #expect((answer["capability"] as? [String: Any])?["protocolVersion"] as? Int == 7)
    }
  }

  @Test("A macro is expanded for messages with and without the members that newer compilers send")
  func expansion() throws {
    let newer = #","lexicalContext":[],"staticBuildConfiguration":"{}","unheardOf":{"a":[1]}"#
    for more in ["", newer] {
      let answer = try #require(
        try answers(to: [attached("KVModel", "member", "@KVModel struct S { var a = 1 }", more: more)])
          .first?["expandMacroResult"] as? [String: Any])
      #expect((answer["expandedSource"] as? String)?.contains("key(\"a\", \\.a)") == true)
      #expect((answer["diagnostics"] as? [Any])?.isEmpty == true)
    }
  }

  @Test("What is not known, not readable or not for this plug-in is answered with an error")
  func errors() throws {
    let messages = [
      #"{"unheardOf":{"a":1}}"#, "{}", "[]", "no JSON", "{\"expandAttachedMacro\":{}}",
      attached("Other", "member", "class C {}"), attached("KVModel", "body", "class C {}"),
      #"{"expandFreestandingMacro":{"macro":{"moduleName":"KVMacros","typeName":"X","name":"x"},"discriminator":"","syntax":\#(syntax("#x", kind: "expression"))}}"#,
    ]
    let answers = try answers(to: messages)
    #expect(answers.count == messages.count)
    for answer in answers {
      let result = try #require(answer["expandMacroResult"] as? [String: Any])
      #expect(result["expandedSource"] == nil)
      let diagnostic = try #require((result["diagnostics"] as? [[String: Any]])?.first)
      #expect(diagnostic["severity"] as? String == "error")
      #expect((diagnostic["message"] as? String)?.hasPrefix("KVMacros ") == true)
    }
  }

  @Test("No library is loaded, and the compiler is told so")
  func libraries() throws {
    let answer = try answers(to: [#"{"loadPluginLibrary":{"libraryPath":"/x.so","moduleName":"X"}}"#]).first
    #expect((answer?["loadPluginLibraryResult"] as? [String: Any])?["loaded"] as? Bool == false)
  }

  @Test("The conversation ends at an empty message, at the end of the stream, and within a message")
  func ends() throws {
    let capability = Data(#"{"getCapability":{}}"#.utf8)
    let whole = header(capability.count) + capability
    #expect(try converse(Data()).isEmpty)
    #expect(try converse(whole + header(0) + whole).count == 1)
    #expect(try converse(whole + Data([1, 0, 0])).count == 1)
    #expect(try converse(whole + header(100) + capability).count == 1)
    #expect(try converse(whole + Data(repeating: 0xFF, count: 8)).count == 1)
  }
}
