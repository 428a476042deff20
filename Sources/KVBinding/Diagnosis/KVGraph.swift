import KVCore

/// A snapshot of objects with their bindings and observations (DIA.2).
///
/// ```swift
/// print(KVDiagnostics.graph(around: [form]))          // text
/// try KVDiagnostics.graph().dot.write(…)              // dot -Tsvg graph.dot > graph.svg
/// ```
public struct KVGraph: Sendable, CustomStringConvertible {
  /// An object of the graph.
  public struct Node: Sendable {
    /// The type and the number of the object in the graph, from 1, such as `Person 1`.
    public let name: String
    /// The observations of the object except for those of bindings, one line each.
    public let observations: [String]
  }

  /// A binding between two objects.
  public struct Edge: Sendable {
    /// The index of the source object in `nodes`.
    public let source: Int
    /// The index of the target object in `nodes`.
    public let target: Int
    /// The key path from the source object.
    public let sourceKeyPath: KVKeyPath
    /// The key path from the target object.
    public let targetKeyPath: KVKeyPath
    /// The direction in which values are propagated.
    public let direction: KVBindingDirection
    /// The state of the binding.
    public let state: KVBindingState
    /// The reason why the last change was not propagated, if there is one.
    public let error: String?
    /// The source location of the binding, as `Module/File.swift:12`.
    public let location: String

    /// The key paths, and an arrow in the direction of the values.
    public var label: String { "\(sourceKeyPath) \(direction.arrow) \(targetKeyPath)" }
  }

  /// The objects, in the order in which they were found.
  public let nodes: [Node]
  /// The bindings, in the order of their creation; a binding with several sources has an edge from each.
  public private(set) var edges: [Edge] = []

  /// Finds the objects that bindings connect with some objects.
  init(around objects: [AnyObject]) {
    var found: [AnyObject] = []
    var numbers: [ObjectIdentifier: Int] = [:]
    func number(of object: AnyObject) -> Int {
      if let known = numbers[ObjectIdentifier(object)] { return known }
      found.append(object)
      numbers[ObjectIdentifier(object)] = found.count
      return found.count
    }
    for object in objects { _ = number(of: object) }
    var bindings: Set<KVPathBinding> = []
    var next = 0
    while next < found.count {
      for binding in KVDiagnostics.bindings(of: found[next]) where bindings.insert(binding).inserted {
        for object in binding.objects { _ = number(of: object) }
      }
      next += 1
    }
    for binding in bindings.ordered(by: { $0.number }) {
      guard let target = binding.target.object else { continue }
      for source in binding.sources {
        guard let object = source.object else { continue }
        edges.append(
          Edge(
            source: number(of: object) - 1, target: number(of: target) - 1, sourceKeyPath: source.keyPath,
            targetKeyPath: binding.target.keyPath, direction: binding.options.direction, state: binding.state,
            error: binding.lastError?.message, location: binding.location))
      }
    }
    nodes = found.enumerated().map { index, object in
      Node(name: "\(type(of: object)) \(index + 1)", observations: Self.observations(of: object))
    }
  }

  private static func observations(of object: AnyObject) -> [String] {
    guard let object = object as? any KVObservable else { return [] }
    return KVDiagnostics.observations(of: object).filter { !$0.style.hasPrefix("binding") }.map(\.description)
  }

  // MARK: Text

  /// The graph as text, with one line per object, observation and binding.
  public var description: String {
    var lines: [String] = []
    let bound = Dictionary(grouping: edges, by: \.target)
    for (index, node) in nodes.enumerated() {
      lines.append(node.name)
      lines += node.observations.map { "  observed: \($0)" }
      lines += (bound[index] ?? []).map { "  bound: \(text(of: $0))" }
    }
    return lines.joined(separator: "\n")
  }

  private func text(of edge: Edge) -> String {
    let arrow = edge.direction == .twoWay ? "⇄" : edge.direction == .toSource ? "→" : "←"
    let state = edge.state == .active ? "" : " [\(edge.state)\(edge.error.map { ": \($0)" } ?? "")]"
    return
      "\(edge.targetKeyPath) \(arrow) \(nodes[edge.source].name).\(edge.sourceKeyPath)\(state) (\(edge.location))"
  }

  /// The graph in the language of Graphviz.
  ///
  /// Objects are boxes that contain their observations. Bindings are arrows in the direction of their values: red for
  /// failed bindings, dashed for unresolved ones.
  public var dot: String {
    var lines = ["digraph bindings {", "  rankdir=LR;", "  node [shape=box, fontname=\"sans-serif\"];"]
    for (index, node) in nodes.enumerated() {
      let label = ([node.name] + node.observations).map(Self.escaped).joined(separator: "\\n")
      lines.append("  n\(index + 1) [label=\"\(label)\"];")
    }
    for edge in edges {
      var attributes = [
        "label=\"\(Self.escaped(edge.label))\"", "tooltip=\"\(Self.escaped(edge.error ?? edge.location))\"",
      ]
      if edge.direction == .twoWay { attributes.append("dir=both") }
      if edge.direction == .toSource { attributes.append("dir=back") }
      if edge.state == .failed { attributes.append("color=red") }
      if edge.state == .unresolved { attributes.append("style=dashed") }
      lines.append("  n\(edge.source + 1) -> n\(edge.target + 1) [\(attributes.joined(separator: ", "))];")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

extension KVPathBinding {
  /// The objects that are there still, the sources first.
  fileprivate var objects: [AnyObject] { (sources + [target]).compactMap(\.object) }
}

extension KVDiagnostics {
  /// Returns all bindings of the process and their objects as a graph (DIA.2).
  ///
  /// - Returns: A snapshot. Call the method where the objects may be read.
  /// - Complexity: O(*n* log *n*) in the number of bindings.
  public static func graph() -> KVGraph { KVGraph(around: bindings.flatMap(\.objects)) }

  /// Returns objects, all objects that are bound to them directly or indirectly, and their observations as a graph
  /// (DIA.2).
  ///
  /// - Parameter objects: The objects at which the search begins.
  /// - Returns: A snapshot.
  /// - Complexity: O(*n* log *n*) in the number of bindings and observations found.
  public static func graph(around objects: [AnyObject]) -> KVGraph { KVGraph(around: objects) }
}
