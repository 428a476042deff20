/// A plain class that knows nothing of the package: reflected.
class Shelf {
  var label = "A"
  var books = [Leaflet(title: "one", pages: 1), Leaflet(title: "two", pages: 2)]
  weak var neighbour: Shelf?
  private var secret = "base"

  init(label: String = "A") { self.label = label }
}

/// A subclass with a stored property of a label that its superclass uses too.
final class OakShelf: Shelf {
  private var secret = "derived"
  private var wood = "oak"
}

/// A plain struct: reflected.
struct Leaflet: Equatable {
  var title: String
  var pages: Int
  var editor: String??
}

extension Leaflet {
  init(title: String, pages: Int) { self.init(title: title, pages: pages, editor: .some(nil)) }
}
