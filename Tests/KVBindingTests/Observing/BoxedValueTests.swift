import KVBinding
import Testing

private final class Cargo {
  let name: String
  init(_ name: String) { self.name = name }
}

/// A value with an object, of a number of words.
private protocol Crate {
  init(_ object: Cargo)
  var object: Cargo? { get }
}

private struct OneWord: Crate {
  let object: Cargo?
  init(_ object: Cargo) { self.object = object }
}

private struct ThreeWords: Crate {
  var before = 1
  let object: Cargo?
  var after = 2
  init(_ object: Cargo) { self.object = object }
}

private struct FourWords: Crate {
  var before = (1, 2)
  let object: Cargo?
  var after = 3
  init(_ object: Cargo) { self.object = object }
}

/// Aligned to 16 bytes, so that no box has room for it.
private struct Aligned: Crate {
  var wide: Int128 = 1
  let object: Cargo?
  init(_ object: Cargo) { self.object = object }
}

/// Not movable by its bits.
private struct Weak: Crate {
  private weak var weakly: Cargo?
  let object: Cargo?
  init(_ object: Cargo) {
    self.object = object
    weakly = object
  }
}

private final class Depot<Value: Crate>: KVObject {
  var value: Value
  @KVProperty var observed: Value
  var optional: Value?
  var values: [Value] = []
  @KVProperty var observedValues: [Value] = []

  init(_ spice: Cargo) {
    value = Value(spice)
    observed = Value(spice)
    super.init()
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Depot.self) { key in
      key("value", \.value)
      key("observed", \.observed)
      key("optional", \.optional)
      key("values", \.values)
      key("observedValues", \.observedValues).inPlace { $1(&$0.observedValues) }
    }
  }
}

@Suite("KVC.8, COL.2 values in boxes of all forms are moved out of them and into them")
struct BoxedValueTests {
  private static func setting<Value: Crate>(_ type: Value.Type) throws {
    let depot = Depot<Value>(Cargo("first"))
    for isObserved in [false, true] {
      var seen: [String?] = []
      let tokens =
        try isObserved
        ? ["value", "observed", "optional"].map { key in
          try depot.observe(key, options: .new) { seen.append(($0.new as? Value)?.object?.name) }
        } : []
      for key in ["value", "observed", "optional"] {
        weak var passing: Cargo?
        do {
          let spice = Cargo("passing")
          passing = spice
          let boxed: Any? = Value(spice)
          try depot.setValue(boxed, forKey: key)
          #expect((boxed as? Value)?.object === spice, "the caller's box is as before")
          #expect(try depot.value(forKey: key, as: Value.self).object === spice)
        }
        #expect(passing != nil)
        try depot.setValue(Value(Cargo("last")) as Any?, forKeyPath: key)
        #expect(passing == nil, "\(type) in \(key)")
        #expect(try depot.value(forKey: key, as: Value.self).object?.name == "last")
      }
      #expect(seen == (isObserved ? ["passing", "last", "passing", "last", "passing", "last"] : []))
      for token in tokens { token.cancel() }
    }
  }

  private static func editing<Value: Crate>(_ type: Value.Type) throws {
    let depot = Depot<Value>(Cargo("first"))
    for key in ["values", "observedValues"] {
      for isObserved in [false, true] {
        var count = 0
        let token = try depot.observe(key) { _ in count += 1 }
        if !isObserved { token.cancel() }
        let view = depot.mutableArray(forKey: key)
        weak var passing: Cargo?
        do {
          let spice = Cargo("passing")
          passing = spice
          try view.append(Value(spice))
          try view.insert(Value(spice), at: 0)
        }
        try view.replace(at: 1, with: Value(Cargo("second")))
        #expect(passing != nil)
        #expect(try view.elements().map { ($0 as? Value)?.object?.name } == ["passing", "second"])
        try view.remove(at: 0)
        #expect(passing == nil, "\(type) in \(key)")
        #expect(try (view.removeLast() as? Value)?.object?.name == "second")
        #expect(try view.elements().isEmpty)
        #expect(count == (isObserved ? 5 : 0))
        token.cancel()
      }
    }
  }

  @Test("KVC.8 a boxed value of any form is set, and released with the next one")
  func settings() throws {
    try Self.setting(OneWord.self)
    try Self.setting(ThreeWords.self)
    try Self.setting(FourWords.self)
    try Self.setting(Aligned.self)
    try Self.setting(Weak.self)
  }

  @Test("COL.2 an element of any form enters an array by its view, and leaves it")
  func edits() throws {
    try Self.editing(OneWord.self)
    try Self.editing(ThreeWords.self)
    try Self.editing(FourWords.self)
    try Self.editing(Aligned.self)
    try Self.editing(Weak.self)
  }

  @Test("KVC.8 an object that is boxed as that of its superclass, or of its subclass, is set")
  func classes() throws {
    class Animal {}
    final class Cat: Animal {}
    final class House: KVObject {
      var animal: Animal = Animal()
      var cat = Cat()
      var guest: Animal?
      override class var keyTable: KVTable {
        super.keyTable.extended(for: House.self) { key in
          key("animal", \.animal)
          key("cat", \.cat)
          key("guest", \.guest)
        }
      }
    }
    let (house, cat) = (House(), Cat())
    let asAnimal: Animal = cat
    for boxed in [cat as Any, asAnimal as Any, Optional(asAnimal) as Any] {
      for key in ["animal", "cat", "guest"] { try house.setValue(boxed, forKey: key) }
      #expect(house.animal === cat && house.cat === cat && house.guest === cat)
    }
    #expect(throws: KVError.self) { try house.setValue(Animal() as Any?, forKey: "cat") }
    #expect(house.cat === cat)
  }

  @Test("COL.2 arrays of other kinds than Array, edited where they are stored, lose and get single elements")
  func otherArrays() throws {
    final class Rack: KVObject {
      var contiguous: ContiguousArray = [1, 2, 3]
      var slice: ArraySlice = [1, 2, 3]
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Rack.self) { key in
          key("contiguous", \.contiguous)
          key("slice", \.slice)
        }
      }
    }
    let rack = Rack()
    for key in ["contiguous", "slice"] {
      let view = rack.mutableArray(forKey: key)
      try view.remove(at: 0)
      try view.append(4)
      try view.insert(5, at: 0)
      try view.replace(at: 1, with: 6)
      #expect(try view.removeLast() as? Int == 4)
      #expect(try view.elements() as? [Int] == [5, 6, 3])
    }
  }
}
