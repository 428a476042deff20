import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.11: paths that end in structs: the last object's key is the leaf")
struct StructLeafTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  @Test("KVO.11: a typed observer gets the value of the path, old and new, however the struct is set")
  func typed() throws {
    let token = try person.observe("home.street.number", as: Int.self, options: [.old, .new]) { [log] change in
      log.add("\(change.old ?? -1) → \(change.new ?? -1)")
    }
    person.home.street.number = 2
    person.home = VillageHome(city: "Uruk")
    try person.setValue(3, forKeyPath: "home.street.number")
    try person.setValue(VillageHome(), forKey: "home")
    #expect(log.take() == ["1 → 2", "2 → 1", "1 → 3", "3 → 1"])
    token.cancel()
    person.home.street.number = 9
    #expect(log.lines.isEmpty)
  }

  @Test("KVO.11, CO.2: the value is converted to the observer's type, as of any path")
  func converted() throws {
    let token = try person.observe("home.street.number", as: Double.self, options: [.new]) { [log] change in
      log.add("\(change.new ?? -1)")
    }
    person.home.street.number = 2
    #expect(log.take() == ["2.0"])
    token.cancel()
  }

  @Test("KVO.4, KVO.5, DEP.1: observers with prior and distinct, and of dependent keys, change nothing for the others")
  func together() throws {
    let home = Homestead()
    let tokens = [
      try log.watch(home, "home.street.number"), try log.watch(home, "home.city", [.prior, .old, .new]),
      try log.watch(home, "label"), try log.watch(home, "home.street.number", [.new, .distinct], as: "distinct"),
    ]
    home.home.street.number = 2
    #expect(
      log.take() == [
        "home.city setting prior Ur → nil", "home.street.number setting 1 → 2", "home.city setting Ur → Ur",
        "label setting 1 Ur → 2 Ur", "distinct: home.street.number setting nil → 2",
      ])
    home.home.city = "Uruk"
    #expect(log.take().filter { $0.hasPrefix("distinct") }.isEmpty)
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.11: the intermediate object is replaced, and the structs of the next one notify")
  func middles() throws {
    person.next = Villager("Bob")
    let token = try log.watch(person, "next.home.city")
    person.next?.home.city = "Uruk"
    let old = person.next
    person.next = Villager("Eve")
    old?.home.city = "unheard"
    person.next?.home.city = "Nippur"
    person.next = nil
    #expect(
      log.lines == [
        "next.home.city setting Ur → Uruk", "next.home.city setting Uruk → Ur", "next.home.city setting Ur → Nippur",
        "next.home.city setting Nippur → nil",
      ])
    token.cancel()
  }

  @Test("BND.1: a binding between keys of structs carries values both ways, once each")
  func bindings() throws {
    let other = Villager("Bob")
    let binding = try other.bind("home.city", to: "home.city", of: person, options: .twoWay)
    person.home.city = "Uruk"
    #expect(other.home.city == "Uruk")
    other.home.city = "Nippur"
    #expect(person.home.city == "Nippur" && person.home.street.number == 1)
    binding.cancel()
  }

  @Test("COA.8: a transaction that fails puts structs back")
  func transactions() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try KVTransaction.run { () throws in
        try person.setValue(5, forKeyPath: "home.street.number")
        try person.setValue("Uruk", forKeyPath: "home.city")
        throw Failure()
      }
    }
    #expect(person.home == VillageHome())
  }
}

/// Has a key that depends on keys of a struct.
private final class Homestead: KVObject {
  @KVProperty var home = VillageHome()
  var label: String { "\(home.street.number) \(home.city)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Homestead.self) { key in
      key("home", \.home)
      key("label") { $0.label }.affected(by: "home.street.number", "home.city")
    }
  }
}
