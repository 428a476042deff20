import KVBinding
import KVCore

/// The place of a node in a tree: an index for each level, that of the root object first (TRC.2).
///
/// ```swift
/// let path: KVIndexPath = [0, 2]        // the third child of the first root
/// let child = path.appending(1)         // [0, 2, 1]
/// ```
///
/// Paths are ordered as rows of a tree whose nodes are all expanded: a node precedes its descendants, and these precede
/// its next sibling. It is encoded as an array.
public struct KVIndexPath: Hashable, Comparable, Sendable, ExpressibleByArrayLiteral, CustomStringConvertible {
  /// The indexes of the levels; empty for the node that contains the roots.
  public let indexes: [Int]

  /// Creates a path.
  ///
  /// - Parameter indexes: The indexes of the levels, that of the root object first.
  public init(_ indexes: [Int]) { self.indexes = indexes }

  /// Creates a path of a literal.
  ///
  /// - Parameter elements: The indexes of the levels.
  public init(arrayLiteral elements: Int...) { indexes = elements }

  /// The number of levels.
  public var count: Int { indexes.count }
  /// The index among the siblings; nil if the path is empty.
  public var last: Int? { indexes.last }
  /// The path of the parent; that of the empty path is empty.
  public var parent: KVIndexPath { KVIndexPath(indexes.dropLast()) }
  /// The indexes, as "[0, 2]".
  public var description: String { "\(indexes)" }

  /// Returns the path of a child.
  ///
  /// - Parameter index: The index of the child.
  /// - Complexity: O(*d*) for *d* levels.
  public func appending(_ index: Int) -> KVIndexPath { KVIndexPath(indexes + [index]) }

  /// Returns whether a path precedes another one.
  ///
  /// - Complexity: O(*d*) for *d* levels.
  public static func < (left: KVIndexPath, right: KVIndexPath) -> Bool {
    left.indexes.lexicographicallyPrecedes(right.indexes)
  }

  private init(_ indexes: ArraySlice<Int>) { self.indexes = Array(indexes) }
}

extension KVIndexPath: Codable {
  /// Decodes a path from an array of its indexes.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws { indexes = try [Int](from: decoder) }

  /// Encodes the path as an array of its indexes.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws { try indexes.encode(to: encoder) }
}
