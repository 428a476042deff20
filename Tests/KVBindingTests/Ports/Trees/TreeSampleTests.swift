import KVBinding
import KVCore
import Testing

/// The samples of the seed: a table of fruits with a detail view, and a counter.
@Suite("NOD.1: the samples of tree binding")
struct TreeSampleTests {
  /// A cell of the fruit table, as an interface file declares it.
  private static func fruitCell() throws -> (cell: TableCell, label: TextView, square: PlainView) {
    let label = TextView()
    let square = PlainView()
    let cell = TableCell([PlainView([label, square])])
    try label.bindTo(attributes: ["bindTo.@superviewWithClass[TableCell].dataObject.name": "text"])
    try square.bindTo(attributes: ["bindTo.@superviewWithClass[TableCell].dataObject.color": "backgroundColor"])
    return (cell, label, square)
  }

  private static let plist = [
    ["name": "Apple", "colorName": "red"], ["name": "Kiwi", "colorName": "green"],
    ["name": "Banana", "colorName": "yellow"], ["name": "Blueberry", "colorName": "blue"],
    ["name": "Orange", "colorName": "orange"], ["name": "Dragon fruit", "colorName": "magenta"],
    ["name": "Plum", "colorName": "purple"], ["name": "Nut", "colorName": "brown"],
  ]

  private let fruits: [Fruit]

  init() throws {
    fruits = try Self.plist.map { entries in
      let fruit = Fruit()
      for (key, value) in entries { try fruit.setValue(value, forKey: key) }
      return fruit
    }
  }

  @Test("NOD.1: the table sets data objects of its cells, and the cells show them, reused or not")
  func table() throws {
    let cells = try (0..<3).map { _ in try Self.fruitCell() }
    for (row, fruit) in fruits.enumerated() {
      let (cell, label, square) = cells[row % 3]
      cell.dataObject = fruit
      #expect(label.text == fruit.name && square.backgroundColor == "#" + fruit.colorName)
    }
    // The last three rows are shown; nobody follows the others any more.
    #expect(fruits.map { KVDiagnostics.observations(of: $0).count } == [0, 0, 0, 0, 0, 2, 2, 2])
    fruits[7].name = "Hazelnut"
    #expect(cells[1].label.text == "Hazelnut")
  }

  @Test("NOD.1: the detail view is bound to the data object of its root")
  func detail() throws {
    let (name, colorName, image, square) = (TextView(), TextView(), ImageView(), PlainView())
    let button = ButtonView()
    let root = PlainView([name, PlainView([colorName, square]), image, button])
    try name.bindTo("@rootview.dataObject.name", "text")
    try colorName.bindTo("@rootview.dataObject.colorName", "text")
    try square.bindTo("@rootview.dataObject.color", "backgroundColor")
    try image.bindTo("@rootview.dataObject.imageURL", "URL")
    try button.bindTo("@rootview.dataObject.license", "titleForNormalState", options: .init(skipsEqual: false))
    fruits[0].imageURL = "apple.jpg"
    fruits[0].license = "public domain"
    root.dataObject = fruits[0]
    #expect(name.text == "Apple" && colorName.text == "red" && square.backgroundColor == "#red")
    #expect(image.loaded == ["apple.jpg"] && button.title == "public domain")
    fruits[0].colorName = "green"
    #expect(colorName.text == "green" && square.backgroundColor == "#green")
    root.dataObject = fruits[1]
    #expect(name.text == "Kiwi" && image.loaded == ["apple.jpg"] && button.title == "")
  }

  @Test("NOD.1: HelloBind: a counter one level below the data object, found by a path up and down the tree")
  func helloBind() throws {
    let label = TextView()
    let root = PlainView([label])
    let holder = CounterHolder()
    try label.bindTo("superview.dataObject.counter.counterString", "text")
    try label.bindTo("@rootview.@subviewWithClass[TextView].superview.dataObject.counter.counterColor", "textColor")
    #expect(label.text == nil)
    root.dataObject = holder
    #expect(label.text == "0" && label.textColor == "black")
    holder.counter.tick("red")
    holder.counter.tick("blue")
    #expect(label.history == ["0", "1", "2"] && label.textColor == "blue")
    holder.counter = Counter()
    #expect(label.text == "0" && label.textColor == "black")
  }
}

/// A button with a helper property, added just to be bindable.
private final class ButtonView: PlainView {
  private(set) var title = ""

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ButtonView.self) { key in
      key("titleForNormalState", { _ in String?.none }, set: { $0.title = $1 ?? "" })
    }
  }
}

private final class Counter: KVObject {
  @KVProperty var counter = 0
  @KVProperty var counterColor = "black"
  var counterString: String { "\(counter)" }

  func tick(_ color: String) {
    counter += 1
    counterColor = color
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Counter.self) { key in
      key("counter", \.counter)
      key("counterColor", \.counterColor)
      key("counterString", \.counterString).affected(by: "counter")
    }
  }
}

private final class CounterHolder: KVObject {
  @KVProperty var counter = Counter()

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CounterHolder.self) { key in key("counter", \.counter) }
  }
}
