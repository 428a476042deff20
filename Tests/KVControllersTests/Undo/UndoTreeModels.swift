import KVControllers
import KVCore

/// An object of a tree: it has others in an array, pages by name, a single object and a value.
final class UndoPart: KVObject, Equatable {
  @KVProperty var name: String
  @KVProperty var parts: [UndoPart] = []
  @KVProperty var cover: UndoPart?
  @KVProperty var pages: [String: UndoPart] = [:]
  @KVProperty var layout = UndoLayout()
  @KVProperty var notes: KVRecord?
  /// A reference that no tree of the tests follows.
  @KVProperty var partner: UndoPart?
  let style = UndoStyle()

  init(_ name: String = "", _ parts: UndoPart...) {
    self.name = name
    self.parts = parts
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UndoPart.self) { key in
      key("name", \.name)
      key("parts", \.parts).alias("children")
      key("cover", \.cover)
      key("pages", \.pages)
      key("layout", \.layout)
      key("notes", \.notes)
      key("partner", \.partner)
      key("style", \.style)
    }
  }

  static func == (left: UndoPart, right: UndoPart) -> Bool { left === right }

  var list: KVMutableArray { mutableArray(forKey: "parts") }

  /// The keys of all relationships.
  static let relationships = ["parts", "cover", "pages", "layout", "header", "notes", "style"]
}

/// A value with an object in it.
struct UndoLayout: KeyValueCoding, Equatable {
  var margin = 0
  var header: UndoPart?

  static var keyTable: KVTable {
    KVTable(UndoLayout.self) { key in
      key("margin", \.margin)
      key("header", \.header)
    }
  }
}

/// An object that its owner never replaces.
final class UndoStyle: KVObject {
  @KVProperty var color = "black"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UndoStyle.self) { key in key("color", \.color) }
  }
}
