import Foundation
import KVBinding

/// A model whose editing methods are called one element at a time, or in bulk.
@KVModel final class Queue: KVObject {
  @KVKey(.indexed(insert: insert(_:at:), remove: remove(at:), replace: replace(at:with:))) var names: [String] = ["a"]
  @KVKey(
    .indexedInBulk(insert: insert(_:atAll:), remove: remove(atAll:), replace: replace(atAll:with:)))
  var numbers: [Int] = [1, 2, 3]
  @KVIgnored var calls: [String] = []

  func insert(_ name: String, at index: Int) {
    calls.append("insert \(name) \(index)")
    names.insert(name, at: index)
  }
  func remove(at index: Int) {
    calls.append("remove \(index)")
    names.remove(at: index)
  }
  func replace(at index: Int, with name: String) {
    calls.append("replace \(index) \(name)")
    names[index] = name
  }
  func insert(_ new: [Int], atAll indexes: [Int]) {
    calls.append("insert \(new) \(indexes)")
    for (number, index) in zip(new, indexes) { numbers.insert(number, at: index) }
  }
  func remove(atAll indexes: [Int]) {
    calls.append("remove \(indexes)")
    for index in indexes.reversed() { numbers.remove(at: index) }
  }
  func replace(atAll indexes: [Int], with new: [Int]) {
    calls.append("replace \(indexes) \(new)")
    for (number, index) in zip(new, indexes) { numbers[index] = number }
  }
}

/// A model whose keys are written as values of other types.
@KVModel final class Paint: KVObject {
  @KVKey(.converted(from: String.self, Color.init(name:), back: { $0.name })) var color = Color.red
  @KVKey(.converted(from: [String].self, { (names: [String]) in names.count }), .alias("size")) var count = 0
  @KVKey(.converted(from: URL.self) { (file: URL) in file.pathComponents.count }) var depth = 1

  enum Color {
    case red, green

    init?(name: String) {
      switch name {
      case "red": self = .red
      case "green": self = .green
      default: return nil
      }
    }
    var name: String { self == .red ? "red" : "green" }
  }
}

/// A struct whose validator is a static function.
@KVModel struct Rating {
  @KVKey(.validated(by: Rating.check)) var stars = 3
  @KVKey(.validated(by: { (text: String) in text.isEmpty ? .replaced(with: "none") : .valid })) var text = ""

  static func check(_ stars: Int) -> KVValidation { stars > 5 ? .replaced(with: 5) : .valid }
}

/// A property that an older program still uses.
@KVModel final class Account: KVObject {
  var name = "a"
  @KVIgnored @available(*, deprecated, renamed: "name") var title: String {
    get { name }
    set { name = newValue }
  }
}
