import KVCore

/// The lines on which the outer parts of a JSON document begin, counted from one.
package struct JSONOutline {
  /// The line of the value itself.
  package let line: Int
  /// The members of an object; of a name that occurs twice, the first.
  package var members: [String: JSONOutline] = [:]
  /// The elements of an array.
  package var elements: [JSONOutline] = []
  /// The members whose names occur before in the same object.
  package var repeated: [(name: String, line: Int)] = []
}
