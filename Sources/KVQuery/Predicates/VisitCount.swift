import KVCore

/// Counts the elements that nested subqueries, and IN behind quantifiers, visit in one evaluation, since they multiply
/// (FLT.10).
///
/// A list that an evaluation makes counts with the elements of the lists in it: these may be one list, many times.
final class VisitCount {
  private let limit: Int
  private let isOfPolicy: Bool
  private var count = 0

  /// - Parameter policy: The policy of the predicate, whose limit is lower.
  init(_ policy: PathPolicy?) {
    limit = policy?.elementLimit ?? Limits.elementCount
    isOfPolicy = policy != nil
  }

  /// Counts elements.
  ///
  /// - Throws: ``KVError`` (`limitExceeded`) if there are too many.
  func add(_ visits: Int) throws(KVError) {
    count = visits > limit - count ? limit + 1 : count + visits
    guard count > limit else { return }
    throw KVError(
      .limitExceeded,
      """
      the predicate visits more than \(limit) elements for one value: subqueries in subqueries multiply, and so does IN \
      behind ANY, ALL or NONE. Nest fewer of them, or raise \
      \(isOfPolicy ? "maximumElementCount of the policy" : "KVC.maximumElementCount").
      """, component: "SUBQUERY")
  }

  /// Counts the elements of a list that an evaluation made, at any depth; other values count nothing.
  func add(_ value: Scalar) throws(KVError) {
    guard case .other(let any) = value else { return }
    try addList(any)
  }

  /// Counts the elements of a collection in which a value is searched by comparing.
  func add(searched collection: Scalar) throws(KVError) {
    if let elements = collection.collection { try add(elements.count) }
  }

  /// Counts in a loop, since the lists that a value holds may be nested to any depth.
  private func addList(_ value: Any) throws(KVError) {
    var values = [value]
    while let value = values.popLast() {
      guard type(of: value) == [Any?].self, let list = value as? [Any?] else { continue }
      try add(list.count)
      for case let element? in list where type(of: element) == [Any?].self { values.append(element) }
    }
  }
}
