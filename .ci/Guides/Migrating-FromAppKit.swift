nonisolated(unsafe) let document = RaiseDocument()
nonisolated(unsafe) let (nameField, removeButton) = (Field(), Field())
nonisolated(unsafe) var records: [KVRecord] = []
@KVModel final class Field: KVObject {
  var text = ""
  var isEnabled = false
}
