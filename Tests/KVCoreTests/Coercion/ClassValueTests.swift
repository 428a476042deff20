import Foundation
import KVCore
import KVQuery
import Testing

/// Values of classes, in comparisons and conversions.
@Suite("CO classes among the values")
struct ClassValueTests {
  private class Weight: Comparable, KeyValueCoding {
    let grams: Int
    init(_ grams: Int) { self.grams = grams }
    static func < (left: Weight, right: Weight) -> Bool { left.grams < right.grams }
    static func == (left: Weight, right: Weight) -> Bool { left.grams == right.grams }
    class var keyTable: KVTable { KVTable(Weight.self) { key in key("grams", \.grams) } }
  }
  private final class Net: Weight {}
  private final class Gross: Weight {}

  private struct Parcel: KeyValueCoding {
    var weight: Any?
    var load: Weight?
  }

  private final class Cart: KVObject {
    @KVProperty var load = Weight(1)
    @KVProperty var loads: [Weight] = []
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Cart.self) { key in
        key("load", \.load)
        key("loads", \.loads)
      }
    }
  }

  @Test("CO.7, SRT.3, OP.4: objects of two subclasses compare by their superclass")
  func siblings() throws {
    #expect(KVC.areEqual(Net(1), Gross(1)))
    #expect(!KVC.areEqual(Net(1), Gross(2)))
    let parcels = [Net(2), Gross(1), Weight(3)].map { Parcel(weight: $0, load: $0) }
    for path in ["weight", "load"] {
      let descriptor = KVSortDescriptor(try KVKeyPath(path))
      #expect(try parcels.sorted(by: [descriptor]).map(\.load?.grams) == [1, 2, 3])
      let shelf: [String: Any] = ["parcels": parcels]
      #expect(try KVC.value(of: shelf, forKeyPath: "parcels.@min.\(path)", as: Weight.self).grams == 1)
      #expect(try KVC.value(of: shelf, forKeyPath: "parcels.@max.\(path)", as: Weight.self).grams == 3)
    }
  }

  @Test("CO.2, CO.7, SRT.3: a collection is no object of a class, whatever is in it, and however deep")
  func collections() throws {
    var deep: Any = 1
    for _ in 0..<20_000 { deep = ["next": deep] as [String: Any] }
    let cart = Cart()
    for collection in [Set([Decimal(1)]), [Decimal(1): 1], [[1]], deep] as [Any] {
      #expect(!KVC.areEqual(Weight(1), collection))
      #expect(!KVC.areEqual(collection, Weight(1)))
      #expect(throws: KVError.self) { try cart.setValue(collection, forKey: "load") }
      #expect(throws: KVError.self) { try KVC.convert(collection, to: Weight?.self) }
      let parcels = [Parcel(weight: Weight(1)), Parcel(weight: collection)]
      let error = #expect(throws: KVError.self) { try parcels.sorted(by: ["weight"]) }
      #expect(error?.code == .typeMismatch)
    }
    #expect(cart.load.grams == 1)
  }

  @Test("CO.1, CO.2: an array of a subclass is assigned to one of the superclass")
  func subclassArrays() throws {
    let cart = Cart()
    let nets = [Net(1), Net(2)]
    try cart.setValue(nets, forKey: "loads")
    #expect(cart.loads.elementsEqual(nets) { $0 === $1 })
    try cart.setValue([Net(3), Gross(4)] as [Any], forKey: "loads")
    #expect(cart.loads.map(\.grams) == [3, 4])
  }
}
