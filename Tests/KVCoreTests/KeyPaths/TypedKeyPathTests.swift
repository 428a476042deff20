import KVCore
import Testing

@Suite("Key paths: typed steps")
struct TypedKeyPathTests {
  @Test("TAB.7, KP.8: typed steps on classes and structs give the string path, through optionals")
  func steps() throws {
    #expect(try KVTypedKeyPath(Author.self).agent.town.district.name.keyPath() == "agent.town.district.name")
    #expect(try KVTypedKeyPath(Town.self).district.inhabitants.keyPath() == "district.inhabitants")
    #expect(try KVTypedKeyPath(Author.self).agent.agent.name.keyPath() == "agent.agent.name")
  }

  @Test("TAB.7: a typed path is usable wherever a path is wanted, and its value is checked by the compiler")
  func usable() throws {
    let path = KVTypedKeyPath(Author.self).town.city
    let _: KVTypedKeyPath<Author, String>.Type = type(of: path)
    #expect(try Author().value(forKeyPath: path) as? String == "London")
  }

  @Test("KP.8: steps with names work on protocols, and on types without a table")
  func namedSteps() throws {
    let path = KVTypedKeyPath((any Titled).self).step(\.title, "title").step(\.count, "count")
    #expect(try path.keyPath() == "title.count")
    let reflected = KVTypedKeyPath(Shelf.self).step(\.neighbour, "neighbour").step(\.label, "label")
    #expect(try reflected.keyPath() == "neighbour.label")
  }

  @Test("TAB.7: a property that stands in no table is an error with the cure")
  func unknownProperty() throws {
    let path = KVTypedKeyPath(Author.self).agent.signature
    let error = try #require(failure { () throws(KVError) in try path.keyPath() })
    #expect(error.code == .undefinedKey)
    #expect(error.rootType == "Author")
    #expect(error.knownKeys.contains("name"))
    #expect(
      error.message
        == #"""
        the keyTable of Author has no line with the key path of step 2, which leads to a value of type String. Add \#
        key("name", \.name), or name the step: .step(\.name, "name").
        """#)
    #expect(failure { () throws(KVError) in try path.count.keyPath() }?.message == error.message)
  }

  @Test("KP.8: a typed path without steps is no path")
  func noSteps() {
    #expect(
      failure { () throws(KVError) in try KVTypedKeyPath(Author.self).keyPath() }?.message
        == "A key path needs at least one component.")
  }

  @Test("TAB.7: native key path to key, and key or alias to native key path")
  func bothWays() {
    #expect(Author.keyTable.key(for: \Author.born) == "born")
    #expect(Author.keyTable.keyPath(for: "born") == \Author.born)
    #expect(Author.keyTable.keyPath(for: "birthYear") == \Author.born)
    #expect(Novelist.keyTable.key(for: \Author.name) == "name")
    #expect(Novelist.keyTable.key(for: \Novelist.genre) == "genre")
    #expect(Author.keyTable.key(for: \Author.signature) == nil)
    #expect(Author.keyTable.keyPath(for: "signature") == nil)
    #expect(Town.keyTable.keyPath(for: "zip") == nil, "closures have no key path")
  }
}

private protocol Titled {
  var title: String { get }
}
