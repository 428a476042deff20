import KVCore
import Testing

@Suite("KVC: reading any Swift value")
struct ReadingAnyValueTests {
  @Test("KVC.3: structs and classes that know nothing of the package")
  func plainTypes() throws {
    let shelf = Shelf()
    #expect(try KVC.value(of: shelf, forKeyPath: "books.title") as? [String] == ["one", "two"])
    #expect(try KVC.value(of: shelf, forKeyPath: "books[1].pages") as? Int == 2)
  }

  @Test(
    "KVC.3: tuples, by label and by number",
    arguments: [
      ("pair.x", 1), ("pair.0", 1), ("pair.y", 2), ("pair.1", 2), ("pair[1]", 2), ("bare.0", 3), ("bare.1.z", 5),
      ("bare[1][0]", 4),
    ])
  func tuples(path: String, value: Int) throws {
    #expect(try KVC.value(of: Tuples(), forKeyPath: path) as? Int == value)
  }

  @Test("KVC.3: a tuple has no other keys")
  func tupleErrors() {
    #expect(failure { () throws(KVError) in try KVC.value(of: Tuples(), forKeyPath: "pair.z") }?.code == .undefinedKey)
    #expect(failure { () throws(KVError) in try KVC.value(of: Tuples(), forKeyPath: "pair.2") }?.code == .undefinedKey)
    #expect(
      failure { () throws(KVError) in try KVC.value(of: Tuples(), forKeyPath: "pair[2]") }?.code == .indexOutOfRange)
    #expect(failure { () throws(KVError) in try KVC.value(of: Tuples(), forKeyPath: "pair.-1") }?.code == .undefinedKey)
  }

  @Test("KVC.3: an enum has its payload under the name of its case; other cases read as nil")
  func enums() throws {
    #expect(try KVC.value(of: Loan.lent("Bo"), forKeyPath: "lent") as? String == "Bo")
    #expect(try KVC.value(of: Loan.lent("Bo"), forKeyPath: "sold") == nil)
    #expect(try KVC.value(of: Loan.sold(to: "Cy", price: 5), forKeyPath: "sold.price") as? Int == 5)
    #expect(try KVC.value(of: Loan.sold(to: "Cy", price: 5), forKeyPath: "sold.to") as? String == "Cy")
    #expect(try KVC.value(of: Loan.reserved(by: "Di"), forKeyPath: "reserved.by") as? String == "Di")
    #expect(try KVC.value(of: Loan.inHouse, forKeyPath: "lent") == nil)
    #expect(try KVC.value(of: Loan.inHouse, forKeyPath: "inHouse") == nil)
    #expect(try [Loan.lent("a"), .inHouse].value(forKey: "lent") as? [String?] == ["a", nil])
    #expect(try KVC.value(of: Loan.inHouse, forKeyPath: "self") as? Loan == .inHouse)
  }

  @Test("KVC.3, KVC.18: rawValue is no key of an enum, and the error says to leave it out")
  func rawValue() {
    let error = failure { () throws(KVError) in try KVC.value(of: [Aisle.fiction], forKeyPath: "rawValue") }
    #expect(error?.code == .undefinedKey)
    #expect(error?.message.contains("Leave rawValue out: an enum is compared and converted as its raw value.") == true)
  }

  @Test(
    "KVC.18: a key with the name of an operator is answered with the operator", arguments: ["names", "loans", "name"])
  func operatorName(of key: String) {
    struct Shelf { let names = ["a"], loans = [Tuples()], name = "a" }
    let error = failure { () throws(KVError) in try KVC.value(of: Shelf(), forKeyPath: "\(key).count") }
    #expect(error?.code == .undefinedKey)
    #expect(error?.message.contains("The operator of a collection is written @count.") == true)
  }

  @Test("KVC.3: an enum can have a table")
  func enumWithTable() throws {
    #expect(try Binding.cloth("red").value(forKey: "colour") as? String == "red")
    #expect(try Binding.paper.value(forKey: "colour") == nil)
    var binding = Binding.paper
    try binding.setValue("blue", forKey: "colour")
    #expect(binding == .cloth("blue"))
  }

  @Test("KVC.3: dictionaries whose keys can be made from strings")
  func dictionaries() throws {
    #expect(try [5: "five"].value(forKey: "5") as? String == "five")
    #expect(try [Aisle.fiction: 1].value(forKey: "fiction") as? Int == 1)
    #expect(try [Level.top: 1].value(forKey: "2") as? Int == 1)
    #expect(try [AnyHashable("a"): 1].value(forKey: "a") as? Int == 1)
    #expect(try [AnyHashable(7): 1].value(forKey: "7") as? Int == 1)
    #expect(try [true: 1].value(forKey: "true") as? Int == 1)
    #expect(try [Book(): 1].value(forKey: "a") == nil, "no string makes such a key")
  }

  @Test("KVC.3: arrays, array slices, contiguous arrays and sets")
  func collections() throws {
    #expect(try [10, 20].value(forKeyPath: "[1]") as? Int == 20)
    #expect(try [10, 20, 30][1...].value(forKeyPath: "[0]") as? Int == 20)
    #expect(try ContiguousArray([10, 20]).value(forKeyPath: "[1]") as? Int == 20)
    #expect(try [Book(), Book()][1...].value(forKey: "title") as? [String] == ["Notes"])
    #expect(try Set([Book()]).value(forKey: "price") as? Set<AnyHashable> == [10])
    #expect(failure { () throws(KVError) in try Set([1]).value(forKeyPath: "[0]") }?.code == .unsupported)
    #expect(failure { () throws(KVError) in try [1].value(forKeyPath: #"["a"]"#) }?.code == .undefinedKey)
    #expect(failure { () throws(KVError) in try [1].value(forKeyPath: "[1]") }?.code == .indexOutOfRange)
  }

  @Test("KVC.3: optionals are unwrapped at any depth, in the middle and at the root")
  func optionals() throws {
    let nested: Leaflet??? = Leaflet(title: "x", pages: 1)
    #expect(try KVC.value(of: nested as Any, forKeyPath: "title") as? String == "x")
    #expect(try KVC.value(of: ["a": nested as Any], forKeyPath: "a.title") as? String == "x")
  }

  @Test("KVC.3: an empty conformance gives a type the methods")
  func emptyConformance() throws {
    struct Card: KeyValueCoding { var number = 4 }
    #expect(try Card().value(forKey: "number", as: Int.self) == 4)
    #expect(try Card().dictionaryWithValues(forKeys: ["number"])["number"] as? Int == 4)
  }

  @Test("KVC.3: existentials, generics and nested types")
  func existentials() throws {
    let any: any Hashable = Book(title: "e")
    #expect(try KVC.value(of: any, forKeyPath: "title") as? String == "e")
    #expect(
      try KVC.value(of: Crate(content: [Leaflet(title: "g", pages: 1)]), forKeyPath: "content.title") as? [String] == [
        "g"
      ])
  }
}

private struct Tuples {
  var pair = (x: 1, y: 2)
  var bare = (3, (4, z: 5))
}

private enum Loan: Equatable {
  case inHouse
  case lent(String)
  case reserved(by: String)
  case sold(to: String, price: Int)
}

private enum Binding: KeyValueCoding, Equatable {
  case paper
  case cloth(String)

  static var keyTable: KVTable {
    KVTable(Binding.self) { key in
      key("colour", { if case .cloth(let colour) = $0 { colour } else { nil } }, set: { $0 = .cloth($1 ?? "grey") })
    }
  }
}

private enum Aisle: String { case fiction }
private enum Level: Int { case top = 2 }
private struct Crate<Content> { var content: Content }
