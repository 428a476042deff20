import KVCore
import TestModels

@testable import KVControllers

final class Writer: KVObject {
  @KVProperty var name: String
  @KVProperty var born = 1900

  init(_ name: String) { self.name = name }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Writer.self) { key in
      key("name", \.name)
      key("born", \.born)
    }
  }
}

final class Book: KVObject {
  @KVProperty var title: String
  @KVProperty var year: Int
  @KVProperty var writer: Writer?
  @KVProperty var tags: [String] = []
  /// The setter of a line that throws.
  private(set) var price = 0

  init(_ title: String, _ year: Int = 2000, by writer: Writer? = nil) {
    self.title = title
    self.year = year
    self.writer = writer
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Book.self) { key in
      key("title", \.title).validated { (title: String) in
        if title.isEmpty { throw BookError.noTitle }
        return .valid
      }
      key("year", \.year)
      key("writer", \.writer)
      key("tags", \.tags)
      key(
        "price", { (book: Book) in book.price },
        set: { book, price in
          if price > book.year { throw BookError.tooExpensive }
          book.price = price
        })
      key("label", { (book: Book) in "\(book.title) (\(book.year))" }).affected(by: "title", "year")
    }
  }
}

enum BookError: Error { case noTitle, tooExpensive }

/// A book that has other keys.
final class Magazine: KVObject {
  @KVProperty var title = "Weekly"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Magazine.self) { key in key("title", \.title) }
  }
}

struct Point: KeyValueCoding, Equatable {
  var x = 0
  var y = 0

  static var keyTable: KVTable {
    KVTable(Point.self) { key in
      key("x", \.x)
      key("y", \.y)
    }
  }
}

/// A controller with any number of selected elements.
final class ShelfController: KVController {
  private var items: [Any] = []
  var selectedObjects: [Any] {
    get { items }
    set {
      perform {
        let same = items.count == newValue.count && zip(items, newValue).allSatisfy { Self.areSame($0, $1) }
        let selection = same ? [] : [KeyChange(Keys.selectedObjects), KeyChange(Keys.selection)]
        let changes = abilities(hasSelection: !items.isEmpty).changes(to: abilities(hasSelection: !newValue.isEmpty))
        return KeyUpdate(changes: selection + changes) { self.items = newValue }
      }
    }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShelfController.self) { key in
      key("selectedObjects", \.selectedObjects).notifiesItself()
    }
  }

  override var selectedItems: [Any] { items }
  override func replace(_ former: [Any], at places: [StableIndex?], by items: [Any]) { selectedObjects = items }
}

/// A window with a field for a text, one for a number, and a controller.
final class ShelfWindow: KVObject {
  @KVProperty var text = ""
  @KVProperty var optional: String?
  @KVProperty var number = 0
  @KVProperty var list: [String] = []
  @KVProperty var shelf: ShelfController?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShelfWindow.self) { key in
      key("text", \.text)
      key("optional", \.optional)
      key("number", \.number)
      key("list", \.list)
      key("shelf", \.shelf)
    }
  }
}

/// Collects the records of paths as lines.
final class ChangeLog: LineLog {
  var lines: [String] = []
  private var tokens: [KVObservation] = []

  func observe(_ root: some KVObservable, _ paths: String..., options: KVObservingOptions = [.old, .new]) throws {
    for path in paths {
      tokens.append(
        try root.observe(path, options: options) { [unowned self] change in
          let phase = change.isPrior ? " (prior)" : ""
          let (old, new) = (change.old.map { "\($0)" } ?? "nil", change.new.map { "\($0)" } ?? "nil")
          lines.append("\(path)\(phase): \(old) → \(new)")
        })
    }
  }

  func stop() { tokens = [] }
}
