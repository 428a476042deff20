import KVBinding
import KVDocuments

/// A cell of the list, with the views that are inside of it.
///
/// The views declare once which values of the cell's data object they show. The list sets the data object, and does
/// nothing else when the cell is used for another person.
@KVModel final class PersonCell: KVNode {
  @KVIgnored let label = TextView()
  @KVIgnored let detail = TextView()
  @KVIgnored let square = SquareView()
  @KVIgnored let bar = ProgressView()
  /// The row that the cell shows; nil while it is not used.
  @KVIgnored var row: Int?

  override var isTreeCell: Bool { true }

  /// Adds the views, and lets each declare what it shows.
  func build() throws {
    for view in [label, detail, square, bar] { addChild(view) }
    try label.bindTo("@superviewWithClass[PersonCell].dataObject.name", "text", options: .init(nullPlaceholder: ""))
    try detail.bindTo("@superviewWithClass[PersonCell].dataObject.team", "text")
    try square.bindTo("@superviewWithClass[PersonCell].dataObject.color", "backgroundColor")
    try bar.bindTo(
      "@superviewWithClass[PersonCell].dataObject.progress", "fraction",
      options: .init(.oneWay, transformer: KVTransformer("percent") { (percent: Int) in Double(percent) / 100 }))
    try bar.bindTo("@cell.progress", "text", options: .init(.oneWay, transformer: .format("In progress: %d %%")))
  }

  /// Whether a view shows something else since the last call.
  func takeChange() -> Bool {
    let isChanged = label.isChanged || detail.isChanged || square.isChanged || bar.isChanged
    for view in [label, detail] { view.isChanged = false }
    square.isChanged = false
    bar.isChanged = false
    return isChanged
  }

  /// What the cell shows.
  func members(_ index: Int) -> [String: Any] {
    [
      "cell": index, "row": row ?? KVDocument.Null(), "name": label.text, "team": detail.text,
      "color": square.backgroundColor, "fraction": bar.fraction, "progress": bar.text,
    ]
  }
}
