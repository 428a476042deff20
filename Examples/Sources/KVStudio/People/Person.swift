import KVBinding

/// A data object of the list.
@KVModel final class Person: KVObject {
  @KVKey(.validated(by: checkName)) var name: String
  var team: String
  /// How much of their work is done, in percent.
  @KVKey(.validated(by: checkProgress)) var progress: Int
  /// The colour of the square, as `#FF8800`.
  var color: String

  init(_ name: String, team: String, progress: Int, color: String) {
    self.name = name
    self.team = team
    self.progress = progress
    self.color = color
  }

  func checkName(_ name: String) throws -> KVValidation {
    let trimmed = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard !trimmed.isEmpty else { throw KVError(.invalidValue, "A person has a name.") }
    guard trimmed.count <= 80 else { throw KVError(.invalidValue, "A name has at most 80 characters.") }
    return trimmed == name ? .valid : .replaced(with: trimmed)
  }

  func checkProgress(_ progress: Int) throws -> KVValidation {
    guard (0...100).contains(progress) else { throw KVError(.invalidValue, "Progress is a number from 0 to 100.") }
    return .valid
  }
}
