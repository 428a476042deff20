import KVBinding

/// Where in the document something stands, as it is now: elements move.
final class Location {
  private let parent: Location?
  /// The way from the parent.
  var components: [KVKeyPath.Component]

  init(_ parent: Location? = nil, components: [KVKeyPath.Component]) {
    self.parent = parent
    self.components = components
  }

  /// The path from the top; nil for the top itself.
  func path(_ more: KVKeyPath.Component...) -> KVKeyPath? { try? KVKeyPath(components: all + more) }

  private var all: [KVKeyPath.Component] { (parent?.all ?? []) + components }
}
