import KVBinding
import KVCore
import TestModels
import Testing

@Suite("Graphs of bindings")
struct GraphTests {
  let song = Song()
  let field = Field()

  @Test("DIA.2: a graph of objects, observations and bindings as text and for Graphviz")
  func graph() throws {
    let other = Field()
    let first = #line + 1
    try field.bind("title", to: "title", of: song, options: .twoWay)
    try other.bind("title", to: "album.name", of: song)
    try other.bind("number", toAll: [.init(field, "number"), .init(song, "rating")], by: .firstNonNil)
    let token = try song.observe("rating", options: []) { _ in }
    let here = "KVBindingTests/GraphTests.swift"
    let graph = KVDiagnostics.graph(around: [field])
    #expect(
      graph.description == """
        Field 1
          bound: title ⇄ Song 2.title (\(here):\(first))
        Song 2
          observed: rating []: closure, registered at \(here):\(first + 3)
        Field 3
          bound: title ← Song 2.album.name [unresolved] (\(here):\(first + 1))
          bound: number ← Field 1.number (\(here):\(first + 2))
          bound: number ← Song 2.rating (\(here):\(first + 2))
        """)
    #expect(
      graph.dot == """
        digraph bindings {
          rankdir=LR;
          node [shape=box, fontname="sans-serif"];
          n1 [label="Field 1"];
          n2 [label="Song 2\\nrating []: closure, registered at \(here):\(first + 3)"];
          n3 [label="Field 3"];
          n2 -> n1 [label="title ⇄ title", tooltip="\(here):\(first)", dir=both];
          n2 -> n3 [label="album.name → title", tooltip="\(here):\(first + 1)", style=dashed];
          n1 -> n3 [label="number → number", tooltip="\(here):\(first + 2)"];
          n2 -> n3 [label="rating → number", tooltip="\(here):\(first + 2)"];
        }

        """)
    #expect(KVDiagnostics.graph().edges.count >= 4)
    #expect(graph.nodes.map(\.name) == ["Field 1", "Song 2", "Field 3"] && graph.nodes[1].observations.count == 1)
    #expect(graph.edges.map { [$0.source, $0.target] } == [[1, 0], [1, 2], [0, 2], [1, 2]])
    #expect(graph.edges[0].label == "title ⇄ title" && graph.edges[1].state == .unresolved)
    token.cancel()
  }

  @Test("DIA.2: what stands at an arrow says in which direction values go, as the arrow does")
  func labels() throws {
    try field.bind("number", to: "rating", of: song, options: .toSource)
    let graph = KVDiagnostics.graph(around: [field])
    #expect(graph.description.contains("bound: number → Song 2.rating"))
    #expect(graph.dot.contains("n2 -> n1 [label=\"rating ← number\""))
    #expect(graph.dot.contains("dir=back"))
  }

  @Test("DIA.2: a binding that is found in several ways is listed once, and many are listed at once")
  func found() throws {
    // It is met as the target's own, and observing both of its sources and the target.
    let own = try song.bind("title", to: "album.name", of: song, options: .twoWay)
    #expect(song.bindings == [own])
    let fields = (0..<2_000).map { _ in Field() }
    let bindings = try fields.map { try $0.bind("number", to: "rating", of: song) }
    #expect(song.bindings == [own] + bindings)
    #expect(KVDiagnostics.graph(around: [song]).description.split(separator: "\n").count == 4_002)
  }

  @Test("DIA.2: all bindings of the process are listed in the order in which they were made")
  func listing() throws {
    let line = #line + 1
    let first = try field.bind("title", to: "title", of: song)
    let second = try field.bind("number", to: "rating", of: song)
    let ours = KVDiagnostics.bindings.filter { $0 == first || $0 == second }
    #expect(ours == [first, second])
    #expect(first.description == "Song.title → Field.title [active] (KVBindingTests/GraphTests.swift:\(line))")
    first.cancel()
    #expect(!KVDiagnostics.bindings.contains(first))
  }

  @Test("DIA.1: a binding is traced by itself")
  func tracing() throws {
    let binding = try field.bind("title", to: "title", of: song)
    let silent = try field.bind("number", to: "rating", of: song)
    let events = capturingEvents(level: .error) {
      binding.isTraced = true
      song.title = "traced"
      song.rating = 1
      silent.cancel()
      binding.cancel()
    }
    #expect(
      events.about(song).map(\.message) == [
        "binding of Song.title → Field.title: target ← \"traced\"", "binding of Song.title → Field.title: ended",
      ])
  }
}
