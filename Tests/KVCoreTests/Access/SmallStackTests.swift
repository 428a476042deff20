import KVCore
import TestModels
import Testing

/// Data and paths that are nested as deeply as KVC.18 permits, and one level more.
private enum NestedData: String, CaseIterable {
  case reading, writing, operators, numberOperators, checking, limitedWriting, record, dictionaryOfRecord, models
  case distinct, equality, describing, cycle
  case dictionaryOfArrays, casts, hashableCasts, setCasts, wrappedCasts

  /// How deeply the data may be nested; the depth of others is theirs.
  var limit: Int {
    switch self {
    case .writing, .limitedWriting, .models: 100
    case .operators, .numberOperators: 99
    case .checking: 199
    default: 200
    }
  }

  /// Whether the work answers without an error at any depth.
  var throwsNothing: Bool {
    switch self {
    case .dictionaryOfRecord, .distinct, .equality, .describing, .cycle: true
    case .dictionaryOfArrays, .casts, .hashableCasts, .setCasts, .wrappedCasts: true
    default: false
    }
  }

  private static func arrays(_ depth: Int, around inner: Any) -> Any {
    (0..<depth).reduce(inner) { inner, _ in [inner] }
  }

  /// Offers a value wherever an object is looked for, which it is not.
  private static func casts(of nest: Any) -> () throws -> Void {
    let desk = Desk()
    return {
      #expect((try? KVC.convert(nest, to: Author.self)) == nil)
      #expect((try? KVC.convert(nest, to: [Author].self)) == nil)
      #expect((try? KVC.convert(nest, to: (any KVObservable).self)) == nil)
      #expect((try? KVC.convert([nest], to: [any KVObservable].self)) == nil)
      #expect((try? KVC.convert(nest, to: KVRecord?.self)) == nil)
      for key in ["author", "observable", "authors"] {
        do { try desk.setValue(nest, forKey: key) } catch { #expect((error as? KVError)?.code != nil) }
        do { _ = try desk.validate(nest, forKeyPath: key) } catch { #expect((error as? KVError)?.code != nil) }
      }
      #expect(!KVC.areEqual(["a": nest], ["a": Author()]))
      #expect(!KVC.areEqual([Author()], [nest]))
      #expect(!KVC.areEqual(Author(), nest))
    }
  }

  /// Returns the work; what it works on is made, and freed, elsewhere.
  func work(_ depth: Int) throws -> () throws -> Void {
    switch self {
    case .reading:
      let nest = Self.arrays(depth, around: Book())
      return { _ = try KVC.value(of: nest, forKeyPath: "title") }
    case .writing:
      let author = Author()
      let nest = Self.arrays(depth, around: author)
      return {
        var copy = nest
        try KVC.setValue("Emma", forKeyPath: "name", in: &copy)
        #expect(author.name == "Emma")
      }
    case .operators:
      let nest = Self.arrays(depth + 1, around: Book())
      let path = try KVKeyPath(
        components: Array(repeating: .operator("unionOfObjects", argument: nil), count: depth) + [.key("title")])
      return { _ = try KVC.value(of: nest, forKeyPath: path) }
    case .numberOperators:
      let nest = Self.arrays(depth + 1, around: Book())
      let path = try KVKeyPath(
        components: Array(repeating: .operator("max", argument: nil), count: depth) + [.key("title")])
      // The innermost maximum is one of a text and of nothing.
      return {
        do throws(KVError) { _ = try KVC.value(of: nest, forKeyPath: path) } catch {
          if error.code == .limitExceeded { throw error }
        }
      }
    case .checking:
      let nest = Self.arrays(depth, around: Book())
      return { _ = try KVC.canConvert("x", forKeyPath: "title", of: nest) }
    case .limitedWriting:
      let nest = Self.arrays(depth, around: Author())
      var policy = KVPolicy("names")
      try policy.allow(Author.self, keys: ["name"], writing: ["name"])
      let path = try policy.keyPath("name")
      return {
        var copy = nest
        try KVC.setValue("Emma", forKeyPath: path, in: &copy)
      }
    case .record:
      let nest = (1..<depth).reduce(["end": 1] as [String: Any]) { inner, _ in ["next": inner] }
      return { _ = try KVRecord(nest) }
    case .dictionaryOfRecord:
      let nest = (1..<min(depth, 200)).reduce(["end": 1] as [String: Any]) { inner, _ in ["next": [inner]] }
      let record = try? KVRecord(nest)
      return { _ = record?.dictionary }
    case .dictionaryOfArrays:
      let record = try? KVRecord(["a": Self.arrays(min(depth, 200) - 1, around: 1)])
      return { #expect(record?.dictionary.count == 1) }
    case .casts:
      let (nest, entries) = (
        Self.arrays(depth, around: 1),
        (0..<depth).reduce(["end": 1] as [String: Any]) { inner, _ in ["next": inner] }
      )
      let works = [Self.casts(of: nest), Self.casts(of: entries)]
      return { for work in works { try work() } }
    case .hashableCasts:
      return Self.casts(of: (0..<depth).reduce(AnyHashable(1)) { inner, _ in [inner] as [AnyHashable] })
    case .setCasts:
      return Self.casts(of: Set([(0..<depth).reduce(AnyHashable(1)) { inner, _ in ["a": inner] }]))
    case .wrappedCasts:
      return Self.casts(of: Optional.some(Self.arrays(depth, around: 1)) as Any)
    case .models:
      let nest = (0..<depth).reduce(["name": "leaf"] as [String: Any]) { inner, _ in ["children": [inner]] }
      return {
        var node = Twig()
        try node.setValues(forKeys: nest)
      }
    case .distinct:
      let nests = (0..<3).map { _ in Self.arrays(depth, around: 1) }
      return { _ = try KVC.value(of: nests, forKeyPath: "@distinctUnionOfObjects.self") }
    case .equality:
      let (left, right) = (Self.arrays(depth, around: 1), Self.arrays(depth, around: 1.0))
      return { _ = KVC.areEqual(left, right) }
    case .describing:
      let nest = Self.arrays(depth, around: Book())
      return { do { _ = try KVC.value(of: nest, forKeyPath: "title.@sum.x") } catch { _ = "\(error)" } }
    case .cycle:
      let author = Author()
      author.agent = author
      let path = try KVKeyPath(Array(repeating: "agent", count: 4_095).joined(separator: ".") + ".name")
      return {
        defer { author.agent = nil }
        _ = try author.value(forKeyPath: path)
        try author.setValue("Eve", forKeyPath: path)
        _ = try author.validate("Eve", forKeyPath: path)
      }
    }
  }
}

private final class Desk: KVObject {
  @KVProperty var author: Author?
  @KVProperty var observable: (any KVObservable)?
  @KVProperty var authors: [Author] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Desk.self) { key in
      key("author", \.author).validated { (_: Author?) in .valid }
      key("observable", \.observable).validated { (_: (any KVObservable)?) in .valid }
      key("authors", \.authors).validated { (_: [Author]) in .valid }
    }
  }
}

private struct Twig: KVDictionaryConvertible {
  var name = ""
  var children: [Twig] = []

  static var keyTable: KVTable {
    KVTable(Twig.self) { key in
      key("name", \.name)
      key("children", \.children)
    }
  }
}

@Suite("KVC.18: nested data on small stacks")
struct SmallStackTests {
  @Test(
    "KVC.18: every permitted depth works, or throws limitExceeded where the stack of the thread is too small",
    arguments: NestedData.allCases.map(\.rawValue), SmallStack.sizes)
  func depths(_ name: String, _ kilobytes: Int) throws {
    let data = try #require(NestedData(rawValue: name))
    for depth in [1, data.limit / 2, data.limit, data.limit + 1, 2 * data.limit] {
      let error = SmallStack.error(kilobytes: kilobytes, try data.work(depth))
      if depth == 1 || kilobytes == 8_192 && depth <= data.limit || data.throwsNothing {
        #expect(error == nil, "\(depth)")
      } else if depth > data.limit {
        #expect((error as? KVError)?.code == .limitExceeded, "\(depth)")
      } else {
        #expect(error == nil || (error as? KVError)?.code == .limitExceeded, "\(depth): \(String(describing: error))")
      }
    }
  }

  @Test("KVC.18: the error says that the stack is too small, and where a larger one is needed")
  func message() throws {
    let error = SmallStack.error(kilobytes: 128, try NestedData.reading.work(200)) as? KVError
    let message = """
      collections are nested too deeply for the stack of this thread at "title"; use a thread with a larger stack.
      """
    // The C library may give a thread a larger stack that an earlier one has left.
    #expect(error?.message ?? message == message)
    let work = try NestedData.models.work(100)
    let sentence = "dictionaries are nested too deeply for the stack of this thread; use a thread with a larger stack"
    #expect((SmallStack.error(kilobytes: 128, work) as? KVError)?.message.contains(sentence) ?? true)
  }
}
