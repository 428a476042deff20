nonisolated(unsafe) let (field, label, button, hint) = (Field(), Field(), Field(), Field())
nonisolated(unsafe) let (form, session) = (Form(), Form())
nonisolated(unsafe) let (model, user, order, search) = (Model(), User(), Order(), Search())
nonisolated(unsafe) let list = List()

@KVModel final class Field: KVObject {
  var text = ""
  var isEnabled = false
}
@KVModel final class Form: KVObject {
  var isComplete = false
  var isOpen = false
  func show(_ error: KVError?) {}
}
@KVModel final class User: KVObject {
  var age = 36
  var first = ""
  var last = ""
}
@KVModel final class Album: KVObject { var songs: [Song] = [] }
@KVModel final class Model: KVObject {
  var user: User?
  var library: Album?
}
@KVModel final class Order: KVObject { var number = 1 }
@KVModel final class Search: KVObject { var query = "" }
@KVModel final class List: KVObject { var rows: [String] = [] }
