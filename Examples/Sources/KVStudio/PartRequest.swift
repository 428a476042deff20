/// The members of a request, which are checked when they are read.
struct PartRequest {
  private let body: [String: Any]

  init(_ body: [String: Any]) { self.body = body }

  func text(_ name: String, atMost limit: Int = 1000) throws(Refusal) -> String {
    guard let text = body[name] as? String, text.utf8.count <= limit else {
      throw Refusal(422, "\"\(name)\" is a text of at most \(limit) bytes.")
    }
    return text
  }

  func flag(_ name: String) throws(Refusal) -> Bool {
    guard let flag = body[name] as? Bool else { throw Refusal(422, "\"\(name)\" is true or false.") }
    return flag
  }

  func number(_ name: String, in range: ClosedRange<Int> = 0...Int.max) throws(Refusal) -> Int {
    guard let number = body[name] as? Int, range.contains(number) else {
      let limits =
        range.upperBound == .max
        ? "not less than \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      throw Refusal(422, "\"\(name)\" is a whole number \(limits).")
    }
    return number
  }

  func numbers(_ name: String, atMost limit: Int) throws(Refusal) -> [Int] {
    guard let items = body[name] as? [Any?], items.count <= limit, case let numbers = items.compactMap({ $0 as? Int }),
      numbers.count == items.count
    else {
      throw Refusal(422, "\"\(name)\" is a list of at most \(limit) whole numbers.")
    }
    return numbers
  }

  func has(_ name: String) -> Bool { body[name] != nil }
}
