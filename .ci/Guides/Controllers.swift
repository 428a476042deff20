nonisolated(unsafe) let account = Account()
nonisolated(unsafe) let library = Library()
nonisolated(unsafe) let (person, song) = (Person(), Song())
nonisolated(unsafe) let (nameField, cityField, field, total) = (Field(), Field(), Field(), Field())
nonisolated(unsafe) let (removeButton, okButton) = (Button(), Button())
nonisolated(unsafe) let (request, order) = (Request(), Order())
nonisolated(unsafe) let menu = Menu()
nonisolated(unsafe) let page = Page()
nonisolated(unsafe) let albums = KVArrayController { Album() }
let (wanted, text) = (KVPredicate(true), "title == 'x'")

@KVModel final class Field: KVObject { var text = "" }
@KVModel final class Menu: KVObject { var value = "" }
@KVModel final class Request: KVObject { var headers: [String: String] = [:] }
@KVModel final class Order: KVObject { var name = "" }
@KVModel final class Button: KVObject { var isEnabled = false }
@KVModel final class Album: KVObject { var tracks: [Track] = [] }
@KVModel final class Track: KVObject {
  var name = ""
  convenience init(_ name: String) {
    self.init()
    self.name = name
  }
}
final class Page { func patch(_ change: KVChange) {} }
