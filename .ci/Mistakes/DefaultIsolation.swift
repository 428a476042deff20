// flags: -default-isolation MainActor
// The mistakes of a project whose default isolation is the main actor.
import KVCore
final class Form: KVObject {  // error: main actor-isolated initializer 'init()' has different actor isolation from nonisolated overridden declaration
  var title = ""
  override class var keyTable: KVTable { super.keyTable.extended(for: Form.self) { key in key("title", \.title) } }  // error: main actor-isolated class property 'keyTable' has different actor isolation from nonisolated overridden declaration // error: main actor-isolated getter for class property 'keyTable' has different actor isolation from nonisolated overridden declaration
}
nonisolated final class PlainForm: KVObject {
  var title = ""
  override class var keyTable: KVTable { super.keyTable.extended(for: PlainForm.self) { key in key("title", \.title) } }
}
