import Foundation
import KVExpansion

var conversation = Conversation(input: .standardInput, output: .standardOutput)
try conversation.run()
