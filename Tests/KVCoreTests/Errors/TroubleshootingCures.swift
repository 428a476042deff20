import KVCore
import KVQuery
import Testing

/// What the entries of `Docs/Troubleshooting.md` tell their reader to do, done.
enum TroubleshootingCures {
  typealias Guide = TroubleshootingGuide

  /// The cure of an entry, which throws, or fails an expectation, if it does not cure.
  struct Cure: Sendable {
    let title: String
    let apply: @Sendable () async throws -> Void

    init(_ title: String, _ apply: @escaping @Sendable () async throws -> Void) {
      self.title = title
      self.apply = apply
    }
  }

  // A closure throws if it has a `try`, which those in the arguments of a macro do not count as.
  private static func check(_ condition: Bool, _ location: SourceLocation = #_sourceLocation) {
    #expect(condition, sourceLocation: location)
  }

  static let all: [Cure] =
    found + settable + fitting + resolved + tables + compiled + reported + filters + models

  private static let found: [Cure] = [
    Cure("A slip in a key") { check(try Guide.Person().value(forKey: "name") as? String == "Ada") },
    Cure("A path where a key is wanted") {
      let person = Guide.Person()
      check(try person.value(forKeyPath: "address.city") as? String == "London")
      try person.setValue("Paris", forKeyPath: "address.city")
      check(person.address.city == "Paris")
    },
    Cure("An operator where a key is wanted") {
      check(try Guide.Person().tags.value(forKeyPath: "@count") as? Int == 1)
    },
    Cure("A computed property without a table") {
      check(try KVC.value(of: CuredCircle(), forKeyPath: "area") as? Double == .pi)
    },
    Cure("A lazy property") { check(try CuredPerson().value(forKey: "motto") as? String == "by Ada") },
    Cure("A Swift key path where a key is wanted") {
      let path = KVTypedKeyPath(Guide.Person.self).name
      check(try Guide.Person().value(forKeyPath: path) as? String == "Ada")
    },
    Cure("`@KVProperty` in a class that is not observable") {
      check(try CuredCounter().value(forKey: "count") as? Int == 0)
      check(try CuredPlainCounter().value(forKey: "count") as? Int == 0)
    },
    Cure("`catch let error as KVError`") {
      do throws(KVError) {
        try Guide.Person().setValue("x", forKey: "age")
        check(false)
      } catch { check(error.code == .typeMismatch) }
    },
    Cure("A property of a standard type") { check(try CuredPerson().value(forKey: "nameLength") as? Int == 3) },
    Cure("A slip in an operator") { check(try Guide.Person().value(forKeyPath: "tags.@count") as? Int == 1) },
    Cure("An operator without its path") {
      check(try [Guide.Person()].value(forKeyPath: "@sum.age") as? Int == 36)
      check(try [1, 2].value(forKeyPath: "@sum.@self") as? Int == 3)
    },
  ]

  private static let settable: [Cure] = [
    Cure("A stored property that the table does not list") {
      let person = CuredPerson()
      try person.setValue(39, forKey: "shoeSize")
      check(person.shoeSize == 39)
    },
    Cure("A class without a table of its own") {
      let pupil = CuredPupil()
      try pupil.setValue(2, forKey: "grade")
      check(pupil.grade == 2)
      check(try pupil.value(forKey: "name") as? String == "Ada")
    },
    Cure("A struct without a table") {
      var point = CuredPoint()
      try KVC.setValue(2, forKeyPath: "x", in: &point)
      check(point.x == 2)
    },
    Cure("A `let`") {
      let person = CuredPerson()
      try person.setValue(8, forKey: "badge")
      check(person.badge == 8)
    },
    Cure("A computed property without a setter") {
      let person = CuredPerson()
      try person.setValue("B", forKey: "initial")
      check(person.name == "B")
      try person.setValue("C", forKey: "first")
      check(person.name == "C")
    },
    Cure("A tuple or the payload of an enum") {
      var box = CuredBox()
      try box.setValue((width: 3, height: 4), forKey: "size")
      check(box.size.width == 3)
      try box.setValue(5, forKeyPath: "area.width")
      check(box.area.width == 5)
    },
  ]

  private static let fitting: [Cure] = [
    Cure("The wrong type") {
      let person = Guide.Person()
      try person.setValue(41.9, forKey: "age")
      check(person.age == 41)
    },
    Cure("A number that is given as a string") {
      let person = CuredPerson()
      try person.setValue("41", forKey: "age")
      check(person.age == 41)
    },
    Cure("A number out of range") {
      let person = CuredPerson()
      try person.setValue(1e300, forKey: "height")
      check(person.height == 1e300)
    },
    Cure("Nil for a property that is not optional") {
      let person = CuredPerson()
      try person.setValue(nil, forKey: "age")
      check(person.age == 0)
      try person.setValue(nil, forKey: "boss")
    },
    Cure("Reading as the wrong type") { check(try Guide.Person().value(forKey: "name", as: String.self) == "Ada") },
    Cure("Reading an optional value as a type that is not optional") {
      check(try Guide.Person().value(forKeyPath: "boss.name", as: String?.self) == nil)
    },
  ]

  private static let resolved: [Cure] = [
    Cure("Writing through nil") {
      let person = Guide.Person()
      check(try !person.setValueIfResolved("Grace", forKeyPath: "boss.name"))
      person.boss = Guide.Person()
      try person.setValue("Grace", forKeyPath: "boss.name")
      check(person.boss?.name == "Grace")
    },
    Cure("An index out of range") { check(try Guide.Person().value(forKeyPath: "tags[0]") as? String == "maths") },
    Cure("An index written as a key") {
      check(try Guide.Person().value(forKeyPath: "tags[0]") as? String == "maths")
    },
    Cure("A malformed path") {
      let property = "city"
      check(try Guide.Person().value(forKeyPath: "address.\(property)") as? String == "London")
    },
  ]

  private static let tables: [Cure] = [
    Cure("Several faults at once") {
      let manager = CuredManager()
      try manager.setValue(5, forKey: "pay")
      check(try manager.value(forKey: "total") as? Int == 105)
      check(try manager.value(forKey: "name") as? String == "Ada")
    },
    Cure("A table copied from another type") { check(try CuredPlace().value(forKey: "city") as? String == "London") },
  ]

  /// What is told to do where the compiler refuses; it compiles.
  private static let compiled: [Cure] = [
    Cure("`@KVProperty` in a struct") {
      let player = CuredPlayer()
      try player.setValue(3, forKeyPath: "settings.volume")
      check(player.settings.volume == 3)
    },
    Cure("A collection proxy of a struct") {
      let player = CuredPlayer()
      player.settings.lines.append("a")
      try player.mutableArray(forKeyPath: "settings.lines").append("b")
      check(player.settings.lines == ["a", "b"])
    },
    Cure("Setting a key of a constant struct") {
      var address = Guide.Address()
      try address.setValue("Paris", forKey: "city")
      check(address.city == "Paris")
    },
    Cure("A model of the main actor with an ordinary table") {
      try await MainActor.run {
        for form in [CuredForm(), CuredPlainForm()] as [any KeyValueCoding] {
          check(try form.value(forKey: "title") as? String == "")
        }
      }
    },
    Cure("A project whose default isolation is the main actor") {
      check(try CuredNonisolatedForm().value(forKey: "title") as? String == "")
      try await MainActor.run { check(try CuredPlainForm().value(forKey: "title") as? String == "") }
    },
    Cure("A model of another global actor") { check(try await CuredFile.nameOfNewOne() == "file") },
    Cure("A table in a stored property") {
      check(try CuredNonisolatedForm().value(forKey: "title") as? String == "")
      check(try CuredTableStruct().value(forKey: "title") as? String == "")
    },
    Cure("A forgotten `override`") { check(try CuredNonisolatedForm().value(forKey: "title") as? String == "") },
    Cure("A library that is not imported") {
      let adults: KVPredicate = "age >= 18"
      check(try adults.evaluate(with: ["age": 36]))
    },
    Cure("A type that does not conform") {
      check(try CuredResponse().value(forKey: "status") as? Int == 200)
      check(try KVC.value(of: PlainResponse(), forKeyPath: "status") as? Int == 200)
    },
  ]

  private static let reported: [Cure] = [
    Cure("`Self.self` in a class that is not final") {
      check(try CuredShape().value(forKey: "sides") as? Int == 3)
      check(try CuredSquare().value(forKey: "sides") as? Int == 3)
    },
    Cure("The case of an enum, misspelt") {
      check(try KVC.value(of: CuredState.running(progress: 0.5), forKeyPath: "running.progress") as? Double == 0.5)
      #expect(throws: KVError.self) { try CuredState.running(progress: 0.5).value(forKeyPath: "runing.progress") }
    },
  ]
}

// MARK: The models, as the entries say to write them

private struct CuredCircle: KeyValueCoding {
  var radius = 1.0
  var area: Double { radius * radius * .pi }
  static var keyTable: KVTable { KVTable(CuredCircle.self) { key in key("area", \.area) } }
}

private final class CuredPerson: KVObject {
  @KVProperty var name = "Ada"
  var age = 36
  var height = 1.7
  var boss: CuredPerson?
  var badge = 7
  var initial: String {
    get { String(name.prefix(1)) }
    set { name = newValue }
  }
  lazy var motto = "by \(name)"
  var shoeSize = 38

  override func setNilValue(forKey key: String) throws(KVError) {
    if key == "age" { age = 0 } else { try super.setNilValue(forKey: key) }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CuredPerson.self) { key in
      key("name", \.name)
      key("age", \.age).lenient()
      key("height", \.height)
      key("boss", \.boss)
      key("badge", \.badge)
      key("initial", \.initial)
      key("first", { String($0.name.prefix(1)) }, set: { owner, value in owner.name = value })
      key("motto", \.motto)
      key("nameLength") { $0.name.count }
      key("shoeSize", \.shoeSize)
    }
  }
}

private final class CuredPupil: TroubleshootingGuide.Person {
  var grade = 1
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CuredPupil.self) { key in key("grade", \.grade) }
  }
}

private struct CuredPoint: KeyValueCoding {
  var x = 1
  static var keyTable: KVTable { KVTable(CuredPoint.self) { key in key("x", \.x) } }
}

private struct CuredBox: KeyValueCoding {
  struct Area: KeyValueCoding {
    var width = 1
    static var keyTable: KVTable { KVTable(Area.self) { key in key("width", \.width) } }
  }

  var size = (width: 1, height: 2)
  var area = Area()
  static var keyTable: KVTable {
    KVTable(CuredBox.self) { key in
      key("size", \.size)
      key("area", \.area)
    }
  }
}

private final class CuredManager: TroubleshootingGuide.Person {
  var bonus = 0
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CuredManager.self) { key in
      key("bonus", \.bonus).alias("pay")
      key("total") { $0.bonus + 100 }.affected(by: "bonus")
    }
  }
}

private struct CuredPlace: KeyValueCoding {
  var city = "London"
  static var keyTable: KVTable { KVTable(CuredPlace.self) { key in key("city", \.city) } }
}

private final class CuredPlayer: KVObject {
  struct Settings: KeyValueCoding {
    var volume = 1
    var lines: [String] = []
    static var keyTable: KVTable {
      KVTable(Settings.self) { key in
        key("volume", \.volume)
        key("lines", \.lines)
      }
    }
  }

  @KVProperty var settings = Settings()
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CuredPlayer.self) { key in key("settings", \.settings) }
  }
}

@MainActor private final class CuredForm: KVObject {
  var title = ""
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CuredForm.self) { @MainActor key in key("title", \.title) }
  }
}

@MainActor private final class CuredPlainForm: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  var title = ""
  nonisolated static var keyTable: KVTable { KVTable(CuredPlainForm.self) { @MainActor key in key("title", \.title) } }
}

private nonisolated final class CuredNonisolatedForm: KVObject {
  var title = ""
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CuredNonisolatedForm.self) { key in key("title", \.title) }
  }
}

@globalActor private actor CureDisk { static let shared = CureDisk() }

@CureDisk private final class CuredFile: KVObject {
  var name = "file"
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CuredFile.self) { @CureDisk key in key("name", \.name) }
  }

  static func nameOfNewOne() throws -> String? { try CuredFile().value(forKey: "name") as? String }
}

private struct CuredTableStruct: KeyValueCoding {
  var title = ""
  static let keyTable = KVTable(CuredTableStruct.self) { key in key("title", \.title) }
}

private struct PlainResponse { var status = 200 }

private struct CuredResponse: KeyValueCoding { var status = 200 }

private class CuredShape: KVObject {
  var sides = 3
  override class var keyTable: KVTable {
    super.keyTable.extended(for: CuredShape.self) { key in key("sides", \.sides) }
  }
}

private final class CuredSquare: CuredShape {}

private enum CuredState: KeyValueCoding { case idle, running(progress: Double) }

private final class CuredCounter: KVObject {
  @KVProperty var count = 0
}

private final class CuredPlainCounter: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  @KVProperty var count = 0
}
