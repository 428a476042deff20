import KVCore

/// A snapshot of objects with their bindings and observations (DIA.2).
///
/// ```swift
/// print(KVDiagnostics.graph(around: [form]))          // text
/// try KVDiagnostics.graph().dot.write(…)              // dot -Tsvg graph.dot > graph.svg
/// ```
public struct KVGraph: Sendable, CustomStringConvertible {
  /// An object of the graph.
  package struct Node: Sendable, Hashable {
    /// The number of the object in the graph, from 1.
    package let number: Int
    /// The name of the object's type.
    package let typeName: String
    /// The identity of the object.
    package let object: ObjectIdentifier
    /// The observations of the object except for those of bindings, one line each.
    package let observations: [String]

    /// The type and the number, such as `Person 1`.
    package var name: String { "\(typeName) \(number)" }
  }

  /// A binding between two objects.
  package struct Edge: Sendable, Hashable {
    /// The number of the source object.
    package let source: Int
    /// The number of the target object.
    package let target: Int
    /// The key path from the source.
    package let sourceKeyPath: KVKeyPath
    /// The key path from the target.
    package let targetKeyPath: KVKeyPath
    /// The direction in which values propagate.
    package let direction: KVBindingDirection
    /// The state of the binding.
    package let state: KVBindingState
    /// The reason why the last change was not propagated, if there is one.
    package let error: String?
    /// The source location of the binding, as `Module/File.swift:12`.
    package let location: String
  }

  /// The objects, in the order in which they were found.
  package private(set) var nodes: [Node] = []
  /// The bindings, in the order of their creation; a binding with several sources has an edge from each.
  package private(set) var edges: [Edge] = []

  init(around objects: [AnyObject]) {
    var found = Found()
    var next = 0
    for object in objects { _ = found.number(of: object) }
    while next < found.objects.count {
      for binding in KVDiagnostics.bindings(of: found.objects[next]) { found.add(binding) }
      next += 1
    }
    finish(&found)
  }

  init(of bindings: [KVPathBinding]) {
    var found = Found()
    for binding in bindings { found.add(binding) }
    finish(&found)
  }

  private mutating func finish(_ found: inout Found) {
    for binding in found.bindings.sorted(by: { $0.number < $1.number }) {
      guard let target = binding.target.object else { continue }
      let number = found.number(of: target)
      for source in binding.sources {
        guard let object = source.object else { continue }
        edges.append(
          Edge(
            source: found.number(of: object), target: number, sourceKeyPath: source.keyPath,
            targetKeyPath: binding.target.keyPath, direction: binding.options.direction, state: binding.state,
            error: binding.lastError?.message, location: binding.location))
      }
    }
    nodes = found.objects.enumerated().map { index, object in
      Node(
        number: index + 1, typeName: "\(type(of: object))", object: ObjectIdentifier(object),
        observations: Self.observations(of: object))
    }
  }

  private static func observations(of object: AnyObject) -> [String] {
    guard let object = object as? any KVObservable else { return [] }
    return KVDiagnostics.observations(of: object).filter { !$0.style.hasPrefix("binding") }.map(\.description)
  }

  /// The objects and bindings that the search has found.
  private struct Found {
    var objects: [AnyObject] = []
    var bindings: Set<KVPathBinding> = []
    private var numbers: [ObjectIdentifier: Int] = [:]

    mutating func number(of object: AnyObject) -> Int {
      if let known = numbers[ObjectIdentifier(object)] { return known }
      objects.append(object)
      numbers[ObjectIdentifier(object)] = objects.count
      return objects.count
    }

    mutating func add(_ binding: KVPathBinding) {
      guard bindings.insert(binding).inserted else { return }
      for endpoint in binding.sources + [binding.target] { if let object = endpoint.object { _ = number(of: object) } }
    }
  }

  // MARK: Text

  /// The graph as text, with one line per object, observation and binding.
  public var description: String {
    var lines: [String] = []
    let bound = Dictionary(grouping: edges, by: \.target)
    for node in nodes {
      lines.append(node.name)
      lines += node.observations.map { "  observed: \($0)" }
      lines += (bound[node.number] ?? []).map { "  bound: \(text(of: $0))" }
    }
    return lines.joined(separator: "\n")
  }

  private func text(of edge: Edge) -> String {
    let arrow = edge.direction == .twoWay ? "⇄" : edge.direction == .toSource ? "→" : "←"
    let state = edge.state == .active ? "" : " [\(edge.state)\(edge.error.map { ": \($0)" } ?? "")]"
    return
      "\(edge.targetKeyPath) \(arrow) \(nodes[edge.source - 1].name).\(edge.sourceKeyPath)\(state) (\(edge.location))"
  }

  /// The graph in the language of Graphviz.
  ///
  /// Objects are boxes that contain their observations. Bindings are arrows in the direction of their values: red for
  /// failed bindings, dashed for unresolved ones.
  public var dot: String {
    var lines = ["digraph bindings {", "  rankdir=LR;", "  node [shape=box, fontname=\"sans-serif\"];"]
    for node in nodes {
      let label = ([node.name] + node.observations).map(Self.escaped).joined(separator: "\\n")
      lines.append("  n\(node.number) [label=\"\(label)\"];")
    }
    for edge in edges {
      let label = Self.escaped("\(edge.sourceKeyPath) \(edge.direction.arrow) \(edge.targetKeyPath)")
      var attributes = ["label=\"\(label)\"", "tooltip=\"\(Self.escaped(edge.error ?? edge.location))\""]
      if edge.direction == .twoWay { attributes.append("dir=both") }
      if edge.direction == .toSource { attributes.append("dir=back") }
      if edge.state == .failed { attributes.append("color=red") }
      if edge.state == .unresolved { attributes.append("style=dashed") }
      lines.append("  n\(edge.source) -> n\(edge.target) [\(attributes.joined(separator: ", "))];")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      default: result.append(character)
      }
    }
    return result
  }
}

extension KVDiagnostics {
  /// Returns all bindings of the process and their objects as a graph (DIA.2).
  ///
  /// - Returns: A snapshot. Call the method where the objects may be read.
  /// - Complexity: O(*n* log *n*) in the number of bindings.
  public static func graph() -> KVGraph { KVGraph(of: bindings) }

  /// Returns objects, all objects that are bound to them directly or indirectly, and their observations as a graph
  /// (DIA.2).
  ///
  /// - Parameter objects: The objects at which the search begins.
  /// - Returns: A snapshot.
  /// - Complexity: O(*n* log *n*) in the number of bindings and observations found.
  public static func graph(around objects: [AnyObject]) -> KVGraph { KVGraph(around: objects) }
}
