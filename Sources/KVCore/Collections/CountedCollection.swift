/// The value of a to-many key whose line has functions that count and return elements: the collection itself is read
/// where all of it is needed only (TAB.10).
struct CountedCollection: ReadOnlyOrderedValue {
  /// The functions of a line, which receive the owner.
  struct Functions {
    let count: (Any) -> Int
    let element: (Any, Int) -> Any?
  }

  let owner: Any
  let functions: Functions
  /// Reads the collection.
  let all: () -> any OrderedValue

  static var isOrdered: Bool { true }
  static var elementType: Any.Type { Any.self }

  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    try [Any].converting(any, with: coercion)
  }

  var elementCount: Int { max(0, functions.count(owner)) }

  func element(at index: Int) -> Any? { functions.element(owner, index).flatMap(unwrappingOptionals) }

  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) { try all().forEachElement(body) }

  var whole: any OrderedValue { all() }
  var stored: Any { all() }

  func replacing(at index: Int, with value: Any?, by coercion: Coercion) throws(CoercionFailure) -> Any {
    try all().replacing(at: index, with: value, by: coercion)
  }
}
