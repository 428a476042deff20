/// A collection of a type that is none of the standard library's arrays, sets and dictionaries, as one with indexes from
/// zero (COL.7).
///
/// It is read where it is. Edits are made on an array of its elements, which is converted back.
struct ForeignCollection<Base: Collection>: ReadOnlyOrderedValue {
  let base: Base
  /// The collection, if it is a range of integers.
  private let range: (any IntegerRange)?

  init(base: Base) {
    self.base = base
    range = base as? any IntegerRange
  }

  static var isOrdered: Bool { true }
  static var elementType: Any.Type { Base.Element.self }

  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    try coercion.convertErased(any, to: Base.self)
  }

  // A range of integers that is wider than the greatest number would trap in its own functions.

  var elementCount: Int { range?.clampedCount ?? base.count }

  func element(at index: Int) -> Any? {
    range?.integer(at: index) ?? unwrappingOptionals(base[base.index(base.startIndex, offsetBy: index)])
  }

  func checkCount() throws(KVError) {
    let (count, limit) = (elementCount, Limits.elementCount)
    guard count > limit else { return }
    throw KVError(
      .limitExceeded,
      """
      \(withArticle(Base.self)) makes \(count) elements, and at most \(limit) are visited. Pass a part of it, or raise \
      KVC.maximumElementCount.
      """)
  }

  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) {
    try checkCount()
    for element in base { try body(unwrappingOptionals(element)) }
  }

  var indexable: any OrderedValue { Base.self is any RandomAccessCollection.Type ? self : Array(base) }

  var whole: any OrderedValue { Array(base) }
  var stored: Any { base }

  func replacing(at index: Int, with value: Any?, by coercion: Coercion) throws(CoercionFailure) -> Any {
    try Self.converting(Array(base).replacing(at: index, with: value, by: coercion), with: Coercion())
  }
}

/// A range of integers.
private protocol IntegerRange {
  /// The number of integers, or the greatest number if there are more.
  var clampedCount: Int { get }
  func integer(at index: Int) -> Any
}

extension Range: IntegerRange where Bound: FixedWidthInteger {
  fileprivate var clampedCount: Int { width(from: lowerBound, to: upperBound) }
  fileprivate func integer(at index: Int) -> Any { lowerBound &+ Bound(truncatingIfNeeded: index) }
}

extension ClosedRange: IntegerRange where Bound: FixedWidthInteger {
  fileprivate var clampedCount: Int {
    let width = width(from: lowerBound, to: upperBound)
    return width == .max ? .max : width + 1
  }
  fileprivate func integer(at index: Int) -> Any { lowerBound &+ Bound(truncatingIfNeeded: index) }
}

/// Returns the difference of two integers, or the greatest number if it is greater.
private func width<Bound: FixedWidthInteger>(from lower: Bound, to upper: Bound) -> Int {
  if let lower = Int(exactly: lower), let upper = Int(exactly: upper) {
    let (width, overflows) = upper.subtractingReportingOverflow(lower)
    return overflows ? .max : width
  }
  let (width, overflows) = upper.subtractingReportingOverflow(lower)
  return overflows ? .max : Int(clamping: width)
}

/// Returns whether values of a type are collections that the package wraps: not text, and not data.
func isForeignCollection(_ type: Any.Type) -> Bool {
  type is any Collection.Type && !(type is any CollectionValue.Type) && !(type is any StringProtocol.Type)
    && !(type is any TextConvertible.Type)
}

/// Returns the type of the elements of a type of collections, or of the values of one of dictionaries.
func elementType(of type: Any.Type) -> Any.Type? {
  if let collection = type as? any CollectionValue.Type { return collection.elementType }
  guard isForeignCollection(type), let base = type as? any Collection.Type else { return nil }
  func open<Base: Collection>(_ type: Base.Type) -> Any.Type { Base.Element.self }
  return open(base)
}

/// Returns a value as a collection, or `nil` if it is none.
func collectionValue(_ any: Any) -> (any CollectionValue)? {
  let info = TypeInfo.of(any)
  if let collection = info.collection { return collection.opened(any) ?? any as? any CollectionValue }
  guard info.isForeignCollection, let base = any as? any Collection else { return nil }
  func open<Base: Collection>(_ base: Base) -> any CollectionValue { ForeignCollection(base: base) }
  return open(base)
}
