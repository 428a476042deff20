/// The lines on which the outer parts of a JSON document begin, counted from one.
struct JSONOutline {
  /// The line of the value itself.
  let line: Int
  /// The members of an object; of a name that occurs twice, the first.
  var members: [String: JSONOutline] = [:]
  /// The elements of an array.
  var elements: [JSONOutline] = []
  /// The members whose names occur before in the same object.
  var repeated: [(name: String, line: Int)] = []
}
