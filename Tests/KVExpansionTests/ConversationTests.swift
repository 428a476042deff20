import Foundation
import Testing

@testable import KVExpansion

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

  @Test("MOD.9: compilers that send their capability get that of the plug-in, and so do those that do not")
  func capability() throws {
    for message in [
      #"{"getCapability":{}}"#, #"{"getCapability":{"capability":{"protocolVersion":7}}}"#,
      #"{"getCapability":{"capability":{"protocolVersion":99,"new":[1]}}}"#,
    ] {
      let answer = try #require(try answers(to: [message]).first?["getCapabilityResult"] as? [String: Any])
      #expect((answer["capability"] as? [String: Any])?["protocolVersion"] as? Int == 7)
    }
  }

  @Test("MOD.9: a macro is expanded for messages with and without the members that newer compilers send")
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

  @Test("MOD.9: what is not known, not readable or not for this plug-in is answered with an error")
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

  @Test("MOD.9: no library is loaded, and the compiler is told so")
  func libraries() throws {
    let answer = try answers(to: [#"{"loadPluginLibrary":{"libraryPath":"/x.so","moduleName":"X"}}"#]).first
    #expect((answer?["loadPluginLibraryResult"] as? [String: Any])?["loaded"] as? Bool == false)
  }

  @Test("MOD.9: the conversation ends at an empty message, at the end of the stream, and within a message")
  func ends() throws {
    let capability = Data(#"{"getCapability":{}}"#.utf8)
    let whole = header(capability.count) + capability
    #expect(try converse(Data()).isEmpty)
    #expect(try converse(whole + header(0) + whole).count == 1)
    #expect(try converse(whole + Data([1, 0, 0])).count == 1)
    #expect(try converse(whole + header(100) + capability).count == 1)
    #expect(try converse(whole + Data(repeating: 0xFF, count: 8)).count == 1)
  }

  // MARK: Conversations of compilers

  /// The messages by which a compiler of a version asks for all roles of a small model.
  private func messages(of version: String) -> [String] {
    let source = "@KVModel final class C: Base { @KVKey(.lenient) var a = 1 }"
    let member = "@KVKey(.lenient) var a = 1"
    let parent = #","parentDeclSyntax":\#(syntax(source))"#
    let context = #","lexicalContext":[\#(syntax("@KVModel final class C: Base {}"))]"#
    // From 6.2 on, the compiler says for which platform it compiles.
    let build = #","staticBuildConfiguration":"{\"attributes\":[],\"targetOSs\":[\"Linux\"]}""#
    let more = ["5.9": "", "5.10": "", "6.0": context, "6.1": context, "6.2": context + build, "6.3": context + build]
    let extra = more[version] ?? ""
    let conformances =
      #","extendedTypeSyntax":\#(syntax("C", kind: "type")),"conformanceListSyntax":\#(syntax("struct Placeholder: KVCore.KeyValueCoding {}"))"#
    let capability =
      version == "5.9" ? #"{"getCapability":{}}"# : #"{"getCapability":{"capability":{"protocolVersion":7}}}"#
    return [
      capability,
      attached("KVModel", "memberAttribute", member, offset: 31, more: parent + extra),
      attached("KVModel", "extension", source, more: conformances + extra),
      attached("KVModel", "member", source, more: extra),
      attached("KVKey", "peer", member, offset: 31, more: extra),
      attached("KVStored", "accessor", member, offset: 31, attribute: "@_KVStored(0)", more: parent + extra),
      attached("KVStored", "peer", member, offset: 31, attribute: "@_KVStored(0)", more: parent + extra),
    ]
  }

  private func attached(
    _ type: String, _ role: String, _ declaration: String, offset: Int, attribute: String? = nil, more: String
  ) -> String {
    #"""
    {"expandAttachedMacro":{"macro":{"moduleName":"KVMacros","typeName":"\#(type)","name":"\#(type)"},
    "macroRole":"\#(role)","discriminator":"$s","attributeSyntax":\#(syntax(attribute ?? "@\(type)", kind: "attribute")),
    "declSyntax":\#(syntax(declaration, offset: offset))\#(more)}}
    """#
  }

  @Test(
    "MOD.2, MOD.9: the roles of a model are answered alike for all compilers",
    arguments: ["5.9", "5.10", "6.0", "6.1", "6.2", "6.3"])
  func roles(version: String) throws {
    let sources = try answers(to: messages(of: version)).dropFirst().map { answer in
      let result = try #require(answer["expandMacroResult"] as? [String: Any])
      #expect((result["diagnostics"] as? [Any])?.isEmpty == true)
      return try #require(result["expandedSource"] as? String)
    }
    #expect(sources[0] == "@_KVStored(0)")
    #expect(sources[1].isEmpty)
    #expect(sources[2].contains("key._stored(\"a\", \\.a, keepsValues: true) { $0.a = $1 }.lenient()"))
    #expect(sources[3].isEmpty)
    #expect(sources[4].hasPrefix("@storageRestrictions(initializes: _a)"))
    #expect(sources[5] == "private var _a = 1")
  }

  @Test("MOD.7: a diagnostic has its severity, position, highlights, notes and edits")
  func diagnostic() throws {
    let message = attached("KVModel", "member", "  @KVModel class C {}", offset: 100, more: "")
    let result = try #require(try answers(to: [message]).first?["expandMacroResult"] as? [String: Any])
    let diagnostic = try #require((result["diagnostics"] as? [[String: Any]])?.first)
    let place = #"{"endOffset":110,"fileName":"f.swift","startOffset":102}"#
    let fixIts =
      #"{"changes":[{"newText":": KVObject","range":{"endOffset":118,"fileName":"f.swift","startOffset":118}}],"#
      + #""message":"inherit from KVObject"},"#
      + #"{"changes":[{"newText":"@KVModel(.root)","range":\#(place)}],"message":"store the observers in C"}"#
    #expect(
      try text(diagnostic.filter { $0.key != "message" })
        == #"{"fixIts":[\#(fixIts)],"highlights":[\#(place)],"notes":[],"#
        + #""position":{"fileName":"f.swift","offset":102},"severity":"error"}"#)
  }

  private func text(_ json: Any) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: json, options: [.sortedKeys]), as: UTF8.self)
  }

  @Test("MOD.9: a conversation that breaks off anywhere ends")
  func truncated() throws {
    let whole = messages(of: "6.3").prefix(2).map { Data($0.utf8) }.map { header($0.count) + $0 }.reduce(Data(), +)
    for count in stride(from: 0, to: whole.count, by: 7) { #expect(try converse(whole.prefix(count)).count <= 2) }
  }

  @Test("MOD.9: a number of bytes that never come takes no memory, and a large source is read")
  func large() throws {
    #expect(try converse(header(1 << 40) + Data("{}".utf8)).isEmpty)
    #expect(try converse(header(.max) + Data("{}".utf8)).isEmpty)
    var plugin = Plugin()
    let body = String(repeating: "  var a\u{1F600}1 = 1\n", count: 20_000)
    let answer = plugin.answer(Data(attached("KVModel", "member", "@KVModel struct S {\n\(body)}").utf8))
    #expect(answer.expandMacroResult?.expandedSource?.isEmpty == false)
  }

  @Test("MOD.9: any bytes are answered")
  func anyBytes() {
    var plugin = Plugin()
    let whole = Array(messages(of: "6.3")[3].utf8)
    var seed: UInt64 = 3
    for _ in 0..<2_000 {
      var bytes = whole
      for _ in 0..<3 {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 20)
      }
      #expect(plugin.answer(Data(bytes)).expandMacroResult != nil)
    }
    let nested = Data(String(repeating: "[", count: 100_000).utf8)
    #expect(plugin.answer(nested).expandMacroResult?.diagnostics.count == 1)
  }
}
