import KVCore
import Testing

/// The faults of paths are in `KeyPathParsingTests`, those of tables in `TableFaultTests`, each with its whole sentence.
@Suite("Errors: the complete sentences")
struct ErrorSentenceTests {
  /// What is done, and the whole sentence that the error says.
  struct Case: Sendable, CustomTestStringConvertible {
    let title: String
    let sentence: String
    let run: @Sendable () throws(KVError) -> Any?
    var testDescription: String { title }

    init(_ title: String, _ sentence: String, _ run: @escaping @Sendable () throws(KVError) -> Any?) {
      self.title = title
      self.sentence = sentence
      self.run = run
    }
  }

  @Test(
    "KVC.18: the sentence says what failed, where, and how to put it right", arguments: reading + writing + operators)
  func sentence(case: Case) throws {
    let error = try #require(failure(`case`.run))
    #expect(error.description == `case`.sentence)
    #expect(!error.description.contains("\n"))
  }
}

extension Author {
  static func withBooks() -> Author {
    let author = Author()
    author.books = [Book(title: "one"), Book(title: "two")]
    return author
  }
}
