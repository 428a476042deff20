import Foundation
import Testing

@testable import KVExpansion

/// Conversations that compilers had with the plug-in, replayed (MOD.9).
///
/// With `KV_RECORD=1`, the answers are written anew. The messages of a new compiler come from a plug-in that is the script
/// `tee FILE | KVMacros-tool`; in `FILE`, eight bytes with its length precede each message.
@Suite struct RecordedConversationTests {
  private struct Recording {
    let file: URL
    let compiler: String
    let messages: [String]
    let answers: [String]

    init(_ name: String) throws {
      file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Conversations/\(name).txt")
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      compiler = String(try #require(lines.first))
      let turn = { (mark: String) in lines.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(2)) } }
      messages = turn("> ")
      answers = turn("< ")
    }
  }

  private func answers(to messages: [String]) throws -> [String] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var plugin = Plugin()
    return try messages.map { message in
      String(decoding: try encoder.encode(plugin.answer(Data(message.utf8))), as: UTF8.self)
    }
  }

  @Test(
    "MOD.9: the plug-in answers a compiler as it did when the conversation was recorded",
    arguments: ["Model", "Value", "Mistake", "Other"])
  func replay(name: String) throws {
    let recording = try Recording(name)
    #expect(recording.messages.count == recording.answers.count && recording.messages.count > 2)
    let answers = try answers(to: recording.messages)
    if ProcessInfo.processInfo.environment["KV_RECORD"] != nil {
      let lines = zip(recording.messages, answers).map { "> \($0)\n< \($1)\n" }
      try Data("\(recording.compiler)\n\(lines.joined())".utf8).write(to: recording.file)
    }
    for (answer, recorded) in zip(answers, recording.answers) {
      #expect(answer == recorded, "\(recording.compiler): run with KV_RECORD=1 if the macros generate other code")
    }
  }

  @Test("MOD.9: the recordings come from Swift 6.3.1, and have the messages of each role")
  func content() throws {
    var roles: Set<String> = []
    for name in ["Model", "Value", "Mistake", "Other"] {
      let recording = try Recording(name)
      #expect(recording.compiler.hasPrefix("Swift version 6.3.1 "))
      for message in recording.messages {
        let content = try #require(
          try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: [String: Any]])
        for (kind, members) in content {
          roles.insert([kind, members["macroRole"] as? String].compactMap { $0 }.joined(separator: " "))
        }
      }
    }
    #expect(
      roles == [
        "getCapability", "expandFreestandingMacro expression", "expandAttachedMacro member",
        "expandAttachedMacro memberAttribute", "expandAttachedMacro extension", "expandAttachedMacro peer",
        "expandAttachedMacro accessor",
      ])
  }

  @Test("MOD.9: members that another compiler adds or leaves out change no answer")
  func otherCompilers() throws {
    for name in ["Model", "Value", "Mistake"] {
      let recording = try Recording(name)
      for message in recording.messages.dropFirst() {
        guard var content = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: [String: Any]],
          var members = content["expandAttachedMacro"]
        else { continue }
        let expected = try answers(to: [message])
        // Swift 6.1 sends no build configuration.
        members["staticBuildConfiguration"] = nil
        members["discriminator"] = nil
        members["unheardOf"] = ["a": [1, NSNull()]]
        content["expandAttachedMacro"] = members
        let other = String(decoding: try JSONSerialization.data(withJSONObject: content), as: UTF8.self)
        #expect(try answers(to: [other]) == expected)
      }
    }
  }

  @Test("MOD.9: a recorded message is answered wherever it is cut off")
  func truncated() throws {
    var plugin = Plugin()
    for message in try Recording("Mistake").messages.dropFirst(2) {
      for count in stride(from: 0, to: message.utf8.count, by: 11) {
        #expect(plugin.answer(Data(message.utf8.prefix(count))).expandMacroResult?.diagnostics.count == 1)
      }
    }
  }
}
