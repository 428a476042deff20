import KVCore

/// A text of a path, compared with a constant.
final class TextTest: PredicateProgram, @unchecked Sendable {  // guard: immutable
  private let reader: ScalarReader
  private let pattern: TextPattern
  /// The pattern, which need not be retained for a comparison.
  private let borrowed: _KVReference<TextPattern>
  /// The test of values of other types, and of those that a subquery counts.
  private let general: PredicateProgram

  init(_ path: KVKeyPath, _ pattern: TextPattern, general: PredicateProgram) {
    reader = ScalarReader(path: path)
    self.pattern = pattern
    borrowed = _KVReference(pattern)
    self.general = general
  }

  override func test(_ frame: PredicateFrame) throws(KVError) -> Bool {
    guard frame.visits == nil, let text = frame.text(reader) else { return try general.test(frame) }
    return try test(text)
  }

  override func test(object: AnyObject) throws(KVError) -> Bool {
    guard let text = reader.text(of: object) else { return try general.test(object: object) }
    return try test(text)
  }

  @inline(__always)
  private func test(_ text: String) throws(KVError) -> Bool {
    try borrowed.tryBorrow { pattern throws(KVError) in try pattern.matches(text) }
  }
}
