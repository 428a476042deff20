import Foundation
import KVBinding
import KVDocuments
import Testing

@Suite("NSNull is not nil")
struct NSNullTests {
  private final class Person: KVObject {
    @KVProperty var nickname: String? = "Bob"
    @KVProperty var age = 36

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Person.self) { key in
        key("nickname", \.nickname)
        key("age", \.age)
      }
    }
  }

  @Test("CO.6: an NSNull is refused, and the error says to pass nil", arguments: ["nickname", "age"])
  func setting(key: String) {
    let person = Person()
    let error = #expect(throws: KVError.self) { try person.setValue(NSNull(), forKey: key) }
    #expect(error?.code == .typeMismatch)
    let type = key == "age" ? "an Int" : "a String"
    #expect(
      error?.message.contains(
        """
        an NSNull is not \(type); it stands for nil where there are no optionals: pass nil, and read JSON with KVDocument \
        of the library KVDocuments, whose nulls are nil
        """) == true, "\(error?.message ?? "")")
    #expect(person.nickname == "Bob" && person.age == 36)
  }

  @Test("CO.6: the cure works: nil is set, and a document has nil")
  func cure() throws {
    let person = Person()
    let document = try KVDocument(data: Data(#"{"nickname": null}"#.utf8))
    let nickname = try KVC.value(of: document.root as Any, forKeyPath: "nickname")
    try person.setValue(nickname, forKey: "nickname")
    #expect(person.nickname == nil)
  }
}
