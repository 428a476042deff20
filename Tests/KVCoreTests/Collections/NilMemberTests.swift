import KVCore
import Testing

/// Sets that hold nil.
private final class Sparse: KVObject {
  var numbers: Set<Int?> = [nil, 1]
  var anything: Set<AnyHashable> = [AnyHashable(AnyHashable?.none), "a"]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Sparse.self) { key in
      key("numbers", \.numbers)
      key("anything", \.anything)
    }
  }
}

@Suite("COL sets that hold nil")
struct NilMemberTests {
  private let sparse = Sparse()
  private let none = AnyHashable(AnyHashable?.none)

  @Test("COL.1: nil is one member of a set of values beside the others")
  func members() {
    #expect(Reader.hashableSet([nil, 1, nil, "a"]) == [none, 1, "a"])
  }

  @Test("COL.1: a nil member stays when others come and go")
  func staying() throws {
    let view = sparse.mutableSet(forKey: "numbers")
    #expect(try view.elements() == [none, 1])
    try view.add(2)
    #expect(sparse.numbers == [nil, 1, 2])
    try view.remove(1)
    #expect(sparse.numbers == [nil, 2])
    let anything = sparse.mutableSet(forKey: "anything")
    try anything.add("b")
    try anything.remove("a")
    #expect(sparse.anything == [none, "b"])
  }

  @Test("COL.1: nil is added, found and removed as other members are")
  func editing() throws {
    let view = sparse.mutableSet(forKey: "numbers")
    let log = ChangeLog.attached(to: sparse, keys: "numbers")
    #expect(try view.contains(Int?.none as Any))
    try view.add(Int?.none as Any)
    #expect(log.takeAll() == [])
    try view.remove(String?.none as Any)
    #expect(sparse.numbers == [1])
    try view.set([Int?.none as Any, 3])
    #expect(sparse.numbers == [nil, 3])
    try view.formIntersection([Any?.none as Any])
    #expect(sparse.numbers == [nil])
    #expect(log.takeAll().count == 6)
  }

  @Test("CO.7: sets with nil are equal to those of other types with nil")
  func equality() {
    #expect(KVC.areEqual(sparse.numbers, [none, 1] as Set<AnyHashable>))
    #expect(!KVC.areEqual(sparse.numbers, [2, 1] as Set<AnyHashable>))
  }
}
