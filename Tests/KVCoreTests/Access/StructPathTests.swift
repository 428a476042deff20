import KVCore
import Testing

@Suite("KVC: paths through structs")
struct StructPathTests {
  @Test("KVC.3: a path leads through structs, optional ones too, and on to the objects in them")
  func reading() throws {
    let estate = Estate()
    estate.house.owner = Author()
    estate.house.owner?.agent = Author()
    estate.annex = House(name: "Lodge")
    for _ in 0..<2 {
      #expect(try estate.value(forKeyPath: "house.garden.style", as: String.self) == "English")
      #expect(try estate.value(forKeyPath: "house.garden.trees") as? Int == 3)
      #expect(try estate.value(forKeyPath: "annex.name", as: String.self) == "Lodge")
      #expect(try estate.value(forKeyPath: "annex.garden") as? Garden == Garden())
      #expect(try estate.value(forKeyPath: "annex.garden", as: Garden.self) == Garden())
      #expect(try estate.value(forKeyPath: "house.owner.name", as: String.self) == "Ada")
      #expect(try estate.value(forKeyPath: "house.owner.agent.town.district.name", as: String.self) == "Soho")
      #expect(try estate.value(forKeyPath: "house.garden.trees", as: Double.self) == 3)
      #expect(try estate.value(forKeyPath: "huge.garden.trees", as: Int.self) == 3)
      #expect(try KVC.value(of: estate.house, forKeyPath: "garden.trees") as? Int == 3)
      #expect(try estate.house.value(forKeyPath: "owner.agent.town.city", as: String.self) == "London")
    }
  }

  @Test("KVC.7: a nil in the middle ends the read, wherever it stands")
  func readingNil() throws {
    let estate = Estate()
    for _ in 0..<2 {
      #expect(try estate.value(forKeyPath: "annex.garden.trees") == nil)
      #expect(try estate.value(forKeyPath: "annex.garden.trees", as: Int?.self) == nil)
      #expect(try estate.value(forKeyPath: "house.court.trees") == nil)
      #expect(try estate.value(forKeyPath: "house.owner.name", as: String?.self) == nil)
      let error = failure { () throws(KVError) in try estate.value(forKeyPath: "house.court.trees", as: Int.self) }
      #expect(error?.code == .nilValue && error?.keyPath == "house.court.trees")
      estate.house.court = Garden()
      #expect(try estate.value(forKeyPath: "house.court.trees", as: Int.self) == 3)
      estate.house.court = nil
    }
  }

  @Test(
    "KVC.7: an undefined key in the middle or at the end is named", arguments: ["house.gardn.trees", "house.gardn"])
  func undefinedKeys(path: String) throws {
    let estate = Estate()
    for _ in 0..<2 {
      let error = failure { () throws(KVError) in try estate.value(forKeyPath: path) }
      #expect(error?.code == .undefinedKey && error?.component == "gardn" && error?.suggestion == "garden")
      #expect(error?.rootType == "Estate" && error?.keyPath == path)
      let writing = failure { () throws(KVError) in try estate.setValue(1, forKeyPath: path) }
      #expect(writing?.code == .undefinedKey && writing?.component == "gardn")
      _ = try estate.value(forKeyPath: "house.garden.trees")
    }
  }

  @Test(
    "KVC.9: a write changes one value of one struct, and each observed level is reported once",
    arguments: [true, false])
  func writingBack(isTyped: Bool) throws {
    let estate = Estate()
    for (path, key) in [
      ("house.garden.style", "house"), ("plain.garden.style", "plain"), ("annex.garden.style", "annex"),
    ] {
      estate.annex = House(name: "Lodge")
      for style in ["French", "Dutch"] {
        if isTyped {
          try estate.setValue(style, forKeyPath: path)
        } else {
          try estate.setValue(style as Any?, forKeyPath: path)
        }
        #expect(try estate.value(forKeyPath: path, as: String.self) == style)
      }
      #expect(try estate.value(forKeyPath: "\(key).garden.trees", as: Int.self) == 3)
      #expect(try estate.value(forKeyPath: "\(key).name", as: String.self) == (key == "annex" ? "Lodge" : "Manor"))
    }
    let log = ChangeLog.attached(to: estate, keys: "house", "plain", "annex")
    try estate.setValue("Zen", forKeyPath: "house.garden.style")
    try estate.setValue(4, forKeyPath: "plain.garden.trees")
    try estate.setValue(5.0, forKeyPath: "annex.garden.trees")
    #expect(log.takeAll() == ["will house", "did house", "will plain", "did plain", "will annex", "did annex"])
    #expect(estate.house.garden.style == "Zen" && estate.plain.garden.trees == 4 && estate.annex?.garden.trees == 5)
  }

  @Test("KVC.9: an object in a struct changes where it is: the struct is not written")
  func objectsInStructs() throws {
    let estate = Estate()
    let owner = Author()
    estate.house.owner = owner
    _ = try estate.value(forKeyPath: "house.owner.name")
    let log = ChangeLog.attached(to: estate, keys: "house")
    try estate.setValue("Grace", forKeyPath: "house.owner.name")
    try estate.setValue("York", forKeyPath: "house.owner.town.city")
    #expect(owner.name == "Grace" && owner.town.city == "York" && log.takeAll().isEmpty)
    try estate.setValue(nil, forKeyPath: "house.owner")
    #expect(estate.house.owner == nil && log.takeAll() == ["will house", "did house"])
  }

  @Test("KVC.9: structs in dictionaries, arrays and Any are written back, too")
  func boxedStructs() throws {
    let estate = Estate()
    estate.byName["a"] = House()
    estate.houses = [House(), House()]
    for trees in [8, 9] {
      try estate.setValue(trees, forKeyPath: "byName.a.garden.trees")
      try estate.setValue(trees, forKeyPath: "houses[1].garden.trees")
      #expect(estate.byName["a"]?.garden.trees == trees && estate.houses[1].garden.trees == trees)
      #expect(estate.houses[0].garden.trees == 3)
      #expect(try estate.value(forKeyPath: "byName.a.garden.trees", as: Int.self) == trees)
      #expect(try estate.value(forKeyPath: "houses[1].garden.trees", as: Int.self) == trees)
      #expect(try estate.value(forKeyPath: "anything.garden.style", as: String.self) == "English")
      #expect(try estate.value(forKeyPath: "houses.garden.trees") as? [Int?] == [3, trees])
    }
    try estate.setValue(6, forKeyPath: "houses.garden.trees")
    #expect(estate.houses.map(\.garden.trees) == [6, 6])
    try estate.setValue(7, forKeyPath: "anything.garden.trees")
    #expect((estate.anything as? House)?.garden.trees == 7)
  }

  @Test("KVC.12: a nil in the middle is named, or ignored")
  func writingNil() throws {
    let estate = Estate()
    for (path, missing) in [
      ("annex.garden.trees", "annex"), ("house.court.trees", "court"), ("house.owner.name", "owner"),
    ] {
      for _ in 0..<2 {
        let error = failure { () throws(KVError) in try estate.setValue(1, forKeyPath: path) }
        #expect(error?.code == .unresolvedPath && error?.component == missing && error?.keyPath == path)
        #expect(try !estate.setValueIfResolved(1, forKeyPath: path))
      }
    }
    #expect(try estate.setValueIfResolved(1, forKeyPath: "house.garden.trees") && estate.house.garden.trees == 1)
  }

  @Test("KVC.14: an error leaves everything as it was, and says which level refuses")
  func refusals() throws {
    let estate = Estate()
    for _ in 0..<2 {
      let log = ChangeLog.attached(to: estate, keys: "house")
      let inner = failure { () throws(KVError) in try estate.setValue(1, forKeyPath: "house.built.trees") }
      #expect(inner?.code == .notSettable && inner?.component == "built")
      let outer = failure { () throws(KVError) in try estate.setValue(1, forKeyPath: "fixed.garden.trees") }
      #expect(outer?.code == .notSettable && outer?.component == "fixed")
      let type = failure { () throws(KVError) in try estate.setValue("x", forKeyPath: "house.garden.trees") }
      #expect(type?.code == .typeMismatch && type?.component == "trees" && type?.rootType == "Estate")
      let none = failure { () throws(KVError) in try estate.setValue(nil, forKeyPath: "house.garden.trees") }
      #expect(none?.code == .nilValue && none?.component == "trees")
      #expect(estate.house.garden.trees == 3 && estate.fixed.garden.trees == 3 && log.takeAll().isEmpty)
      try estate.setValue("x", forKeyPath: "house.garden.style")
    }
  }

  @Test("KVC.9: a getter or setter on the way may change the object meanwhile")
  func hostileModels() throws {
    let estate = Estate()
    _ = try estate.value(forKeyPath: "moving.garden.trees")
    estate.onRead = { estate.house = House(name: "Ruin") }
    #expect(try estate.value(forKeyPath: "moving.name", as: String.self) == "Ruin")
    estate.onRead = { estate.onRead = nil }
    try estate.setValue(9, forKeyPath: "moving.garden.trees")
    #expect(estate.house.garden.trees == 9)
    estate.house.onWrite = { estate.house = House(name: "Hut") }
    for name in ["Hall", "Keep"] {
      estate.house.onWrite = { estate.house = House(name: "Hut") }
      try estate.setValue(name, forKeyPath: "house.loud")
      #expect(estate.house.name == name)
    }
    estate.house.onWrite = nil  // which keeps the estate
  }

  @Test("KP.5, KVC.9: paths lead through very many structs, and through very large ones")
  func extremes() throws {
    let estate = Estate()
    let path = try KVKeyPath("mirror." + String(repeating: "me.", count: 4_000) + "depth")
    for _ in 0..<2 { #expect(try estate.value(forKeyPath: path, as: Int.self) == 1) }
    for trees in [5, 6] {
      try estate.setValue(trees, forKeyPath: "huge.garden.trees")
      #expect(estate.huge.garden.trees == trees && estate.huge.more == SIMD64(repeating: 2))
    }
    #expect(failure { () throws(KVError) in try estate.setValue(1, forKeyPath: path) }?.code == .notSettable)
  }

  @Test("KVC.9: the first write through an optional struct, of whose type nothing is known yet")
  func firstWrite() throws {
    let pond = Pond()
    for depth: UInt8 in [5, 6] {
      try pond.setValue(depth, forKeyPath: "depths.first")
      #expect(pond.depths?.first == depth && pond.depths?.rest.d.d.d.d.d == 7)
    }
  }

  @Test("KVC.9, KVC.14: nothing that a read or a write copies outlives it")
  func lifetimes() throws {
    let count = HouseToken.Count()
    try HouseToken.$count.withValue(count) {
      let estate = Estate()
      estate.annex = House()
      let before = count.alive
      for _ in 0..<3 {
        _ = try estate.value(forKeyPath: "annex.garden.trees", as: Int.self)
        _ = try estate.value(forKeyPath: "house.garden.trees")
        try estate.setValue(1, forKeyPath: "annex.garden.trees")
        try estate.setValue(2.0, forKeyPath: "house.garden.trees")
        _ = try? estate.setValue("x", forKeyPath: "house.garden.trees")
        _ = try? estate.setValue(1, forKeyPath: "house.built.trees")
        _ = try? estate.setValue(1, forKeyPath: "annex.court.trees")
        _ = try? estate.value(forKeyPath: "house.garden.zork")
        _ = try? KVC.value(of: estate.house, forKeyPath: "garden.zork")
        #expect(count.alive == before)
      }
      estate.annex = nil
    }
    #expect(count.alive == 0)
  }

  @Test("KVC.9: records on the way are written in place")
  func records() throws {
    let record: KVRecord = ["artist": ["name": "Miles"], "tags": ["a", "b"]]
    record["house"] = House()
    for name in ["Bill", "Gil"] {
      try record.setValue(name, forKeyPath: "artist.name")
      try record.setValue(name, forKeyPath: "house.name")
      try record.setValue(name, forKeyPath: "tags[1]")
      #expect(try record.value(forKeyPath: "artist.name", as: String.self) == name)
      #expect(try record.value(forKeyPath: "house.name", as: String.self) == name)
      #expect(try record.value(forKeyPath: "tags[1]", as: String.self) == name)
    }
  }

  #if DEBUG
    @Test(
      "KP.1: a read looks up the text once, and each component at most once",
      arguments: [
        "house.name", "house.garden.trees", "annex.garden.style", "house.owner.town.city", "number", "plain.garden",
      ])
    func lookUps(text: String) throws {
      let estate = Estate()
      estate.annex = House()
      estate.house.owner = Author()
      // The first read of all makes tables, which look up the texts of the paths that they have.
      _ = try estate.value(forKeyPath: text)
      for isTyped in [true, false] {
        // A path of its own: others are shared with the tests that run at the same time.
        let path = try KVKeyPath(components: KVKeyPath(text).components)
        for turn in 0..<3 {
          let byPath = LookUpCount.of {
            _ =
              isTyped ? try? estate.value(forKeyPath: path, as: Int.self) : try? estate.value(forKeyPath: path) as? Int
          }
          #expect(byPath.keys <= path.count && byPath.texts == 0)
          if turn > 0 { #expect(byPath.keys == 0) }
          let byText = LookUpCount.of {
            _ =
              isTyped ? try? estate.value(forKeyPath: text, as: Int.self) : try? estate.value(forKeyPath: text) as? Int
          }
          #expect(byText.keys <= path.count && byText.texts == 1)
        }
      }
    }
  #endif
}
