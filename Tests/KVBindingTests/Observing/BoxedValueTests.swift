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

private final class Harbour<Value: Crate>: KVObject {
  @KVProperty var depot: Depot<Value>?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Harbour.self) { key in key("depot", \.depot) }
  }
}

@Suite("KVC.8, COL.2: values in boxes of all forms are moved out of them and into them")
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

  private static func following<Value: Crate>(_ type: Value.Type) throws {
    let harbour = Harbour<Value>()
    weak var passing: Cargo?
    var seen: [String?] = []
    var kept: Value?
    let token = try harbour.observe("depot.value", as: Value.self) { change in
      seen += [change.old?.object?.name, change.new?.object?.name]
      kept = change.new
    }
    do {
      let spice = Cargo("passing")
      passing = spice
      harbour.depot = Depot(spice)
    }
    harbour.depot = Depot(Cargo("last"))
    #expect(passing == nil, "\(type)")
    #expect(kept?.object?.name == "last")
    harbour.depot = nil
    #expect(kept == nil && seen == [nil, "passing", "passing", "last", "last", nil], "\(type)")
    token.cancel()
  }

  @Test("KVO.11: a typed observer of a path receives values of any form that are read before and after a change")
  func paths() throws {
    try Self.following(OneWord.self)
    try Self.following(ThreeWords.self)
    try Self.following(FourWords.self)
    try Self.following(Aligned.self)
    try Self.following(Weak.self)
  }

  @Test("KVC.8: a boxed value of any form is set, and released with the next one")
  func settings() throws {
    try Self.setting(OneWord.self)
    try Self.setting(ThreeWords.self)
    try Self.setting(FourWords.self)
    try Self.setting(Aligned.self)
    try Self.setting(Weak.self)
  }

  @Test("COL.2: an element of any form enters an array by its view, and leaves it")
  func edits() throws {
    try Self.editing(OneWord.self)
    try Self.editing(ThreeWords.self)
    try Self.editing(FourWords.self)
    try Self.editing(Aligned.self)
    try Self.editing(Weak.self)
  }

  @Test("KVC.8: an object that is boxed as that of its superclass, or of its subclass, is set")
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

  @Test("COL.2: arrays of other kinds than Array, edited where they are stored, lose and get single elements")
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

  @Test(
    "KVC.4, CO.2: what is set to an optional property is wrapped, and what is read of it unwrapped",
    arguments: [false, true])
  func optionals(isObserved: Bool) throws {
    final class Blank: KVObject {
      var text: String?
      @KVProperty var whole: Int?
      var byte: UInt8?
      var fraction: Double?
      var next: Blank?
      var plain = 1
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Blank.self) { key in
          key("text", \.text)
          key("whole", \.whole)
          key("byte", \.byte)
          key("fraction", \.fraction)
          key("next", \.next)
          key("plain", \.plain)
        }
      }
    }
    let blank = Blank()
    var seen: [String] = []
    let keys = ["text", "whole", "byte", "fraction", "next"]
    let tokens =
      try isObserved
      ? keys.map { key in
        try blank.observe(key, options: [.old, .new]) { change in
          seen.append("\(key) \(change.old.map { "\($0)" } ?? "nil") \(change.new.map { "\($0)" } ?? "nil")")
        }
      } : []
    try blank.setValue("a long text that is not in its bits", forKey: "text")
    try blank.setValue(7, forKey: "whole")
    try blank.setValue(8.0, forKey: "whole")
    try blank.setValue(true, forKey: "byte")
    try blank.setValue(3 as Any?, forKey: "fraction")
    try blank.setValue(Optional(4), forKeyPath: "fraction")
    #expect(blank.text == "a long text that is not in its bits" && blank.whole == 8 && blank.byte == 1)
    #expect(blank.fraction == 4)
    #expect(
      seen
        == (isObserved
          ? [
            "text nil a long text that is not in its bits", "whole nil 7", "whole 7 8", "byte nil 1",
            "fraction nil 3.0",
            "fraction 3.0 4.0",
          ] : []))
    #expect(throws: KVError.self) { try blank.setValue(256, forKey: "byte") }
    #expect(throws: KVError.self) { try blank.setValue("x", forKey: "whole") }
    #expect(blank.byte == 1 && blank.whole == 8)

    #expect(try blank.value(forKey: "text", as: String.self) == blank.text)
    #expect(try blank.value(forKey: "whole", as: Int.self) == 8)
    #expect(try blank.value(forKey: "whole", as: Double.self) == 8)
    #expect(try blank.value(forKey: "whole", as: Int?.self) == 8)
    #expect(try blank.value(forKey: "plain", as: Int?.self) == 1)
    #expect(try blank.value(forKey: "plain", as: Double?.self) == 1)
    #expect(try blank.value(forKey: "whole") as? Int == 8)

    weak var passing: Blank?
    do {
      let other = Blank()
      passing = other
      try blank.setValue(other, forKey: "next")
      #expect(try blank.value(forKey: "next", as: Blank.self) === other)
    }
    #expect(passing != nil)
    for key in keys { try blank.setValue(nil, forKey: key) }
    seen = []
    #expect(passing == nil && blank.text == nil && blank.whole == nil && blank.byte == nil && blank.fraction == nil)
    for key in keys { #expect(try blank.value(forKey: key) == nil, "\(key)") }
    let error = #expect(throws: KVError.self) { try blank.value(forKey: "whole", as: Int.self) }
    #expect(error?.code == .nilValue)
    #expect(throws: KVError.self) { try blank.value(forKey: "whole", as: Double.self) }
    #expect(try blank.value(forKey: "whole", as: Int?.self) == nil)
    #expect(try blank.value(forKey: "text", as: String?.self) == nil)
    #expect(throws: KVError.self) { try blank.setValue(nil, forKey: "plain") }
    for token in tokens { token.cancel() }
  }

  @Test(
    "KVC.4: an optional in an optional, or in an Any, is never set or read as .some(nil)", arguments: [false, true])
  func optionalsInOptionals(isObserved: Bool) throws {
    final class Nest: KVObject {
      var number: Int?
      var twice: Int??
      var anything: Any?
      var whatever: Any = 1
      var hashable: (any Hashable)?
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Nest.self) { key in
          key("number", \.number)
          key("twice", \.twice)
          key("anything", \.anything)
          key("whatever", \.whatever)
          key("hashable", \.hashable)
        }
      }
    }
    let nest = Nest()
    let tokens =
      try isObserved ? ["number", "twice", "anything", "hashable"].map { try nest.observe($0) { _ in } } : []
    // The types are known from the first reading on.
    for _ in 0..<2 {
      #expect(try nest.value(forKey: "number", as: Int??.self) == .none)
      #expect(try nest.value(forKeyPath: "number", as: Int??.self) == .none)
    }
    nest.twice = 1
    try nest.setValue(Int?.none, forKey: "twice")
    #expect(nest.twice == .none)
    nest.twice = 1
    try nest.setValue(Int?.none as Any, forKeyPath: "twice")
    #expect(nest.twice == .none)
    try nest.setValue(Int?(2), forKey: "twice")
    #expect(nest.twice == 2)
    #expect(try nest.value(forKey: "twice", as: Int?.self) == 2)

    for key in ["anything", "hashable"] {
      (nest.anything, nest.hashable) = (1, 1)
      try nest.setValue(Int?.none as Any, forKey: key)
      #expect((key == "anything" ? nest.anything : nest.hashable) == nil, "\(key)")
      (nest.anything, nest.hashable) = (1, 1)
      try nest.setValue(Int?.none as any Hashable, forKey: key)
      #expect((key == "anything" ? nest.anything : nest.hashable) == nil, "\(key)")
    }
    let object = Cargo("object")
    try nest.setValue(Optional(object) as Any, forKey: "anything")
    #expect(nest.anything.map { type(of: $0) == Cargo.self } == true)

    nest.whatever = Int?.none as Any
    #expect(try nest.value(forKey: "whatever", as: Any?.self) == nil)
    nest.whatever = Optional(object) as Any
    #expect(try nest.value(forKey: "whatever", as: Any?.self).map { type(of: $0) == Cargo.self } == true)
    nest.anything = .some(Int?.none as Any)
    #expect(throws: KVError.self) { try nest.value(forKey: "anything", as: Any.self) }
    nest.anything = .some(Optional(object) as Any)
    #expect(type(of: try nest.value(forKey: "anything", as: Any.self)) == Cargo.self)
    for token in tokens { token.cancel() }
  }
}
