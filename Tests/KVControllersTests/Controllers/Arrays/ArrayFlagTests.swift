import KVControllers
import Testing

/// The keys of an array controller that say how it behaves, and its selection by objects (CTR.3, 6, 26–27).
@Suite struct ArrayFlagTests {
  private static let keys = [
    "preservesSelection", "selectsInsertedObjects", "clearsFilterPredicateOnInsertion", "avoidsEmptySelection",
    "automaticallyRearrangesObjects",
  ]

  @Test("CTR.6: a change of a flag is delivered with its update", arguments: keys)
  func flags(_ key: String) throws {
    let list = KVArrayController { Tune() }
    let former = try list.value(forKeyPath: key, as: Bool.self)
    var lines: [String] = []
    let token = try list.observe(key, options: [.prior, .old, .new]) { [list] change in
      let value = (try? list.value(forKeyPath: key, as: Bool.self)).map { $0 == former ? "former" : "new" } ?? "-"
      lines.append("\(change.isPrior ? "prior" : "change") \(change.old as? Bool == former) \(value)")
    }
    try list.update {
      try list.setValue(!former, forKeyPath: key)
      try list.setValue(former, forKeyPath: key)
      try list.setValue(!former, forKeyPath: key)
      #expect(lines.isEmpty)
      #expect(try list.value(forKeyPath: key, as: Bool.self) != former)
    }
    #expect(lines == ["prior true former", "change true new"])
    token.cancel()
  }

  /// An object that is equal to others of its name.
  private final class Named: KVObject, Equatable {
    let name: String
    init(_ name: String) { self.name = name }
    static func == (left: Named, right: Named) -> Bool { left.name == right.name }
  }

  @Test("CTR.26, 27: identical objects are meant before equal ones")
  func equal() throws {
    let list = KVArrayController<Named>()
    let (a, b, other) = (Named("x"), Named("x"), Named("x"))
    list.content = [a, b, Named("y")]
    list.selectionIndexes = [0]
    #expect(try list.addToSelection(b))
    #expect(list.selectionIndexes == [0, 1])
    #expect(try !list.addToSelection(b))
    #expect(try list.removeFromSelection(a))
    #expect(list.selectionIndexes == [1])
    // An object that is not arranged stands for an equal one.
    #expect(try !list.addToSelection(other))
    #expect(try list.addToSelection(contentsOf: [a, Named("y")]))
    #expect(list.selectionIndexes == [0, 1, 2])
    #expect(try list.removeFromSelection(other))
    #expect(list.selectionIndexes == [2])
    #expect(try list.select(b))
    #expect(list.selectionIndexes == [1])
  }

  @Test("CTR.30: nothing that is selected explicitly in an update has no neighbour")
  func explicitlyEmpty() throws {
    let list = KVArrayController { Tune() }
    for isExplicit in [false, true] {
      list.content = "abcd".map { Tune(String($0)) }
      list.selectionIndexes = [2]
      try list.update {
        try list.remove()
        if isExplicit { list.selectionIndexes = [] }
      }
      #expect(list.selectionIndexes == (isExplicit ? [0] : [2]))
    }
  }

  @Test("CTR.27: values are selected if an equal one is")
  func values() throws {
    let list = KVArrayController<String>()
    list.content = ["x", "y", "x"]
    list.selectionIndexes = [0]
    #expect(try !list.addToSelection("x"))
    #expect(try list.addToSelection("y"))
    list.selectionIndexes = [0, 1, 2]
    #expect(try list.removeFromSelection("x"))
    #expect(list.selectionIndexes == [1])
  }
}
