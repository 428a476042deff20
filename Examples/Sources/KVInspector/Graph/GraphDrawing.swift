import KVBinding

/// A graph as a drawing in SVG: boxes in columns from the sources to the targets, and arrows between them.
///
/// It needs no other program.
public struct GraphDrawing {
  struct Node {
    var lines: [String]
    var column = 0
    var row = 0
    var x = 0.0
    var y = 0.0
    var width = 0.0
    var height = 0.0
  }

  struct Edge {
    let source: Int
    let target: Int
    let label: String
    let tooltip: String
    let isTwoWay: Bool
    let isReversed: Bool
    let state: String
  }

  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []

  /// Lays out a graph.
  public init(_ graph: KVGraph) {
    self.init(
      nodes: graph.nodes.map { [$0.name] + $0.observations },
      edges: graph.edges.map { edge in
        Edge(
          source: edge.source, target: edge.target, label: edge.label, tooltip: edge.error ?? edge.location,
          isTwoWay: edge.direction == .twoWay, isReversed: edge.direction == .toSource, state: "\(edge.state)")
      })
  }

  init(nodes: [[String]], edges: [Edge]) {
    self.nodes = nodes.map { Node(lines: $0) }
    self.edges = edges
    assignColumns()
    assignRows()
    assignPlaces()
  }

  // MARK: Layout

  /// Puts each node right of its sources; an edge that would close a cycle is left out.
  private mutating func assignColumns() {
    var columns = Array(repeating: 0, count: nodes.count)
    // A path without a cycle has fewer edges than there are nodes.
    for _ in nodes.indices.dropFirst() {
      var isChanged = false
      for edge in edges where edge.source != edge.target && columns[edge.target] <= columns[edge.source] {
        guard columns[edge.source] + 1 < min(nodes.count, 12) else { continue }
        columns[edge.target] = columns[edge.source] + 1
        isChanged = true
      }
      if !isChanged { break }
    }
    for index in nodes.indices { nodes[index].column = columns[index] }
  }

  /// Orders each column by the mean row of the sources.
  private mutating func assignRows() {
    for column in 0...(nodes.map(\.column).max() ?? 0) {
      let members = nodes.indices.filter { nodes[$0].column == column }
      let means = members.map { member in
        let rows = edges.filter { $0.target == member && nodes[$0.source].column < column }.map { nodes[$0.source].row }
        return rows.isEmpty ? Double(member) : Double(rows.reduce(0, +)) / Double(rows.count)
      }
      let order = zip(means, members).sorted { $0 < $1 }.map(\.1)
      for (row, member) in order.enumerated() { nodes[member].row = row }
    }
  }

  private mutating func assignPlaces() {
    var x = 16.0
    for column in 0...(nodes.map(\.column).max() ?? 0) {
      let members = nodes.indices.filter { nodes[$0].column == column }.sorted { nodes[$0].row < nodes[$1].row }
      var y = 16.0
      for member in members {
        let lines = nodes[member].lines.map { $0.count > 44 ? $0.prefix(43) + "…" : $0 }
        nodes[member].lines = lines
        nodes[member].width = Double(lines.map(\.count).max() ?? 0) * 7.3 + 24
        nodes[member].height = Double(lines.count) * 17 + 14
        (nodes[member].x, nodes[member].y) = (x, y)
        y += nodes[member].height + 30
      }
      let labels = edges.filter { nodes[$0.source].column == column }.map { Double($0.label.count) * 6.2 }
      x += (members.map { nodes[$0].width }.max() ?? 0) + max(60, (labels.max() ?? 0) + 40)
    }
  }

  // MARK: Drawing

  /// The drawing, for light and dark.
  public var svg: String {
    let width = (nodes.map { $0.x + $0.width }.max() ?? 0) + 16
    let height = (nodes.map { $0.y + $0.height }.max() ?? 0) + 40
    let size = "viewBox=\"0 0 \(Int(width)) \(Int(height))\" width=\"\(Int(width))\" height=\"\(Int(height))\""
    let start = "<svg xmlns=\"http://www.w3.org/2000/svg\" \(size) font-family=\"ui-monospace, monospace\">"
    let lines = [start, Self.style] + edges.map(svg) + edges.map(label) + nodes.map(svg)
    return lines.joined() + "</svg>\n"
  }

  private static let style = """
    <style>text{font-size:12px;fill:#1b1f24}.label{font-size:10.5px;fill:#57606a;paint-order:stroke;stroke:#fff;stroke-width:4px}rect{fill:#fff;stroke:#8c959f}\
    path{fill:none;stroke:#57606a;stroke-width:1.3}.failed{stroke:#cf222e}.unresolved{stroke-dasharray:5 4}\
    .name{font-weight:bold}marker path{fill:#57606a;stroke:none}@media(prefers-color-scheme:dark){text{fill:#e6edf3}\
    .label{fill:#9da7b1;stroke:#161b22}rect{fill:#161b22;stroke:#6e7681}path{stroke:#9da7b1}marker path{fill:#9da7b1}\
    .failed{stroke:#ff7b72}}</style><defs><marker id="a" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" \
    markerHeight="8" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>
    """

  private func svg(_ node: Node) -> String {
    let texts = node.lines.enumerated().map { index, line in
      "<text\(index == 0 ? " class=\"name\"" : "") x=\"\(node.x + 12)\" y=\"\(node.y + 20 + Double(index) * 17)\">"
        + "\(Self.escaped(line))</text>"
    }
    return "<rect x=\"\(node.x)\" y=\"\(node.y)\" width=\"\(node.width)\" height=\"\(node.height)\" rx=\"6\"/>"
      + texts.joined()
  }

  private func svg(_ edge: Edge) -> String {
    let (from, to) = ends(of: edge)
    let isForward = nodes[edge.target].column > nodes[edge.source].column
    let bend = isForward ? (to.x - from.x) / 2 : 60
    let curve =
      "M\(from.x) \(from.y)C\(from.x + bend) \(from.y) \(to.x - bend) \(to.y) \(to.x) \(to.y)"
    let markers =
      (edge.isReversed ? "" : " marker-end=\"url(#a)\"")
      + (edge.isTwoWay || edge.isReversed ? " marker-start=\"url(#a)\"" : "")
    return
      "<path class=\"\(Self.escaped(edge.state))\" d=\"\(curve)\"\(markers)><title>\(Self.escaped(edge.tooltip))</title></path>"
  }

  private func label(_ edge: Edge) -> String {
    let to = ends(of: edge).to
    let text = Self.escaped(edge.label)
    return "<text class=\"label\" text-anchor=\"end\" x=\"\(to.x - 14)\" y=\"\(to.y - 5)\">\(text)</text>"
  }

  private typealias Point = (x: Double, y: Double)

  /// Where an arrow begins and ends; arrows between the same nodes are apart.
  private func ends(of edge: Edge) -> (from: Point, to: Point) {
    let (source, target) = (nodes[edge.source], nodes[edge.target])
    let siblings = edges.filter { $0.source == edge.source && $0.target == edge.target }
    let shift = Double(siblings.firstIndex { $0.label == edge.label } ?? 0) * 16
    return (
      (source.x + source.width, source.y + min(source.height - 6, 16 + shift)),
      (target.x, target.y + min(target.height - 6, 16 + shift))
    )
  }

  private static func escaped(_ text: String) -> String {
    let allowed = text.unicodeScalars.filter { $0.value >= 0x20 }
    return String(String.UnicodeScalarView(allowed)).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
