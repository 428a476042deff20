import Foundation

var conversation = Conversation(input: .standardInput, output: .standardOutput)
try conversation.run()
