import KVCore
import KVQuery
import Testing

@Suite("Errors: the cures of calls that name operators, elements and values")
struct CallCureTests {
  @Test("OP.6: an operator is permitted with or without its sign", arguments: ["sum", "@sum"])
  func operators(name: String) throws {
    var policy = KVPolicy("sums", operators: [name])
    try policy.allow(Author.self, keys: ["books"])
    try policy.allow(Book.self, keys: ["price"])
    #expect(try Author().value(forKeyPath: policy.keyPath("books.@sum.price")) as? Int == 0)
  }

  @Test("SEC.5: an operator that no key path can contain is not permitted")
  func impossiblePermission() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = KVPolicy("sums", operators: ["@@sum"])
    }
    let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains(#"The policy "sums" permits an operator that no key path can contain: "@@sum" is not"#))
  }

  @Test("OP.6: the error of brackets behind an operator writes the path that is meant, and it works")
  func brackets() throws {
    let rows = [["a.b": 1], ["a.b": 2]]
    let sum = failure { () throws(KVError) in try KVC.value(of: rows, forKeyPath: #"@sum["a.b"]"#) }
    #expect(
      sum?.message.hasPrefix(
        """
        @sum: it takes no argument, and brackets behind an operator are one; for what is in each element write \
        @sum.self["a.b"].
        """) == true)
    #expect(try KVC.value(of: rows, forKeyPath: #"@sum.self["a.b"]"#) as? Int == 3)
    let last = failure { () throws(KVError) in try KVC.value(of: [[1, 2], [3]], forKeyPath: "@lastObject[0]") }
    #expect(last?.message.contains("for what is in its result write @lastObject.self[0].") == true)
    #expect(try KVC.value(of: [[1, 2], [3]], forKeyPath: "@lastObject.self[0]") as? Int == 3)
  }

  @Test("COL.1: an element that does not fit has the cure of elements")
  func elements() throws {
    let author = Author()
    let none = failure { () throws(KVError) in try author.mutableArray(forKey: "titles").append(nil as Any? as Any) }
    #expect(
      none?.message
        == """
        cannot set "titles" of Author: nil is not a String. Make the elements of the property optional, or add no nil.
        """)
    let whole = failure { () throws(KVError) in try author.setValue(["a", nil] as [String?], forKey: "titles") }
    #expect(whole?.message.hasSuffix("nil is not a String. Make the elements optional, or leave the nil out.") == true)
  }

  @Test(
    "FLT.12: a comparison of an inserted text with a constant reads nothing, and is refused with what inserts a key")
  func constants() throws {
    let name = "name"
    let error = failure { () throws(KVError) in try KVPredicate(format: "%@ == 'Ada'", name) }
    #expect(error?.code == .invalidPredicate)
    #expect(
      error?.message.hasSuffix(
        #"What %@ and \(…) insert is a value, and never a key: write %K or \(key: …) for that."#) == true)
    for format in ["%@ != ''", "'Ada' > %@", "%@ <= 'Ada'"] {
      #expect(throws: KVError.self) { try KVPredicate(format: format, name) }
    }
    #expect(try KVPredicate(format: "%@ IN %@", "a", ["a", "b"]).evaluate(with: nil))
    #expect(try KVPredicate(format: "%@ CONTAINS 'a' AND 1 == 1", name).evaluate(with: nil))
    let path: KVKeyPath = "name"
    let predicate: KVPredicate = "\(key: path) == 'Ada'"
    #expect(try predicate.evaluate(with: Author()))
    #expect(try KVPredicate(format: "%K == 'Ada'", name).evaluate(with: Author()))
    let any = failure { () throws(KVError) in try KVPredicate(format: "any == 1") }
    #expect(any?.message.hasSuffix("For the key of this name, write #any.") == true)
    #expect(try KVPredicate(format: "#any == 1").evaluate(with: ["any": 1]))
  }
}
