import KVCore

/// Objects, and what binds and observes them, as it is at one moment (DIA.2).
///
/// ```swift
/// print(KVDiagnostics.graph(around: [form]))          // text
/// try KVDiagnostics.graph().dot.write(…)              // dot -Tsvg graph.dot > graph.svg
/// ```
public struct KVGraph: Sendable, CustomStringConvertible {
  /// An object.
  public struct Node: Sendable, Hashable {
    /// Its number in the graph, from 1.
    public let number: Int
    /// The name of its type.
    public let typeName: String
    /// Its identity.
    public let object: ObjectIdentifier
    /// Who observes it, apart from bindings; one line each.
    public let observations: [String]

    /// Type and number, as `Person 1`.
    public var name: String { "\(typeName) \(number)" }
  }

  /// A binding between two objects.
  public struct Edge: Sendable, Hashable {
    /// The number of the object whose value counts at the beginning.
    public let source: Int
    /// The number of the object that follows.
    public let target: Int
    /// The path from the source.
    public let sourceKeyPath: KVKeyPath
    /// The path from the target.
    public let targetKeyPath: KVKeyPath
    /// Which way values go.
    public let direction: KVBindingDirection
    /// How it is doing.
    public let state: KVBindingState
    /// Why the last change was not carried over, if so.
    public let error: String?
    /// Where it was made, as `Module/File.swift:12`.
    public let location: String
  }

  /// The objects, in the order in which they were met.
  public private(set) var nodes: [Node] = []
  /// The bindings, in the order in which they were made; one with several sources is an edge from each.
  public private(set) var edges: [Edge] = []

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
    for binding in found.bindings.sorted(by: { $0.core.number < $1.core.number }) {
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

  /// Objects and bindings while they are looked for.
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
      for end in binding.sources + [binding.target] { if let object = end.object { _ = number(of: object) } }
    }
  }

  // MARK: Text

  /// One line an object, an observation and a binding.
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
  /// Objects are boxes, with their observations in them; bindings are arrows the way values go, red where they have failed,
  /// dashed where a path leads nowhere.
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
  /// Returns all bindings of the process and their objects as a graph.
  ///
  /// - Returns: The graph, as it is now; to be asked for where the objects may be read.
  /// - Complexity: O(*n* log *n*) in the bindings.
  public static func graph() -> KVGraph { KVGraph(of: bindings) }

  /// Returns objects, all that is bound to them directly or by way of others, and who observes these objects.
  ///
  /// - Parameter objects: Where to begin.
  /// - Returns: The graph, as it is now.
  /// - Complexity: O(*n* log *n*) in the bindings and observations met.
  public static func graph(around objects: [AnyObject]) -> KVGraph { KVGraph(around: objects) }
}
