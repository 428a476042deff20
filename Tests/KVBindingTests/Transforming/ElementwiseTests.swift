import KVBinding
import KVCore
import Testing

@Suite("TRN.3: transformers and collections")
struct ElementwiseTests {
  private let text = KVTransformer("text", forward: { (number: Int) in "\(number)" }, reverse: { Int($0) ?? 0 })

  @Test("TRN.3: arrays and sets are transformed element by element, nested ones too")
  func elements() throws {
    #expect(try text.transform([1, 2]) as? [String] == ["1", "2"])
    #expect(try text.transform([1, nil]) as? [String?] == ["1", nil])
    #expect(try text.transform([Int]()) as? [String] == [])
    #expect(try text.transform([[1], [2, 3]]) as? [[String]] == [["1"], ["2", "3"]])
    #expect(try text.transform(Set([1, 2])) as? Set<String> == ["1", "2"])
    #expect(try text.transform([1, 2].dropFirst()) as? [String] == ["2"])
    #expect(try text.reverseTransform(["7", "8"]) as? [Int] == [7, 8])
    #expect(!text.appliesToWholeCollections)
    #expect(try KVTransformer.negateBoolean.transform([true, nil, 0]) as? [Bool] == [false, true, true])
    #expect(try KVTransformer.nilToZero.transform([1, nil]) as? [Int] == [1, 0])
  }

  @Test("TRN.3: of a set whose results are not hashable an array comes")
  func unhashable() throws {
    struct Box { var number: Int }
    let boxing = KVTransformer(forward: { (number: Int) in Box(number: number) })
    let boxes = try boxing.transform(Set([1, 2])) as? [Box]
    #expect(boxes?.map(\.number).sorted() == [1, 2])
  }

  @Test("TRN.3: functions of a collection, or of anything, get the whole")
  func wholes() throws {
    let count = KVTransformer(forward: { (numbers: [Int]) in numbers.count })
    #expect(count.appliesToWholeCollections)
    #expect(try count.transform([1.0, 2.9]) as? Int == 2)
    let optional = KVTransformer(forward: { (numbers: Set<Int>?) in numbers?.count ?? 0 })
    #expect(try optional.transform(Set([1])) as? Int == 1)
    let anySequence = KVTransformer(forward: { (sequence: any Sequence) in sequence.underestimatedCount })
    #expect(try anySequence.transform([1, 2, 3]) as? Int == 3)
    #expect(KVTransformer.isNil.appliesToWholeCollections)
    #expect(try KVTransformer.isNil.transform([nil, 1]) as? Bool == false)
    let erased = KVTransformer.erased(forward: { ($0 as? [Int])?.count ?? -1 })
    #expect(try erased.transform([1, 2]) as? Int == 2)
  }

  @Test("TRN.3: each direction decides for itself")
  func eachWay() throws {
    let words = KVTransformer(
      forward: { (text: String) in text.split(separator: " ").map(String.init) },
      reverse: { (words: [String]) in words.joined(separator: " ") })
    #expect(try words.transform(["a b", "c"]) as? [[String]] == [["a", "b"], ["c"]])
    #expect(try words.reverseTransform(["a", "b"]) as? String == "a b")
    #expect(!words.appliesToWholeCollections && words.inverted?.appliesToWholeCollections == true)
  }

  @Test("TRN.3: it can be said")
  func modifiers() throws {
    #expect(try KVTransformer.isNil.elementwise.transform([nil, 1]) as? [Bool] == [true, false])
    #expect(!KVTransformer.isNil.elementwise.appliesToWholeCollections)
    let error = #expect(throws: KVError.self) { try text.whole.transform([1]) }
    #expect(
      error?.message == "the transformer \"text\" cannot take a value: a value of type Array<Int> is not an Int.")
    #expect(text.whole.appliesToWholeCollections && text.whole.name == "text")
  }

  @Test("TRN.3: one after the other, if one of them takes the whole")
  func composed() throws {
    let count = KVTransformer(forward: { (texts: [String]) in texts.count })
    #expect(try text.then(count).transform([1, 2]) as? Int == 2)
    #expect(text.then(count).appliesToWholeCollections && !text.then(text).appliesToWholeCollections)
  }

  @Test("TRN.3: an error in an element is an error of the whole, and nesting has an end")
  func errors() {
    let error = #expect(throws: KVError.self) { try text.transform([1, "x"] as [Any]) }
    #expect(error?.message == "the transformer \"text\" cannot take a value: the String \"x\" is not an Int.")
    var deep: Any = [1]
    for _ in 0..<300 { deep = [deep] }
    #expect(#expect(throws: KVError.self) { try text.transform(deep) }?.code == .limitExceeded)
  }
}
