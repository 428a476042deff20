import KVBinding
import KVCore
import KVTestSupport
import Testing

@Suite("TOM.3, TOM.1: changes by the functions of a table")
struct EditedBeforeTests {
  private final class Tray: KVObject {
    var raw = [3, 2, 1]
    var cups = ["a", "b"]

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Tray.self) { key in
        key("raw", { $0.raw }).indexed(
          insert: { $0.raw.insert($1, at: $2) }, remove: { $0.raw.remove(at: $1) })
        key("cups", { $0.cups }).indexed(
          insert: { $0.cups.insert($1, at: $2) }, remove: { $0.cups.remove(at: $1) }
        ).counted(by: { $0.cups.count }, element: { $0.cups[$1] })
      }
    }
  }

  private let tray = Tray()

  @Test("TOM.3: an index that a handler removed before the change is an error, and nothing is edited")
  func stale() throws {
    let token = try tray.observe("raw", options: [.prior]) { [tray] change in if change.isPrior { tray.raw = [] } }
    let error = #expect(throws: KVError.self) { try tray.mutableArray(forKey: "raw").remove(at: 2) }
    #expect(error?.code == .indexOutOfRange && tray.raw == [])
    token.cancel()
  }

  @Test("TOM.1: the old value of a counted key is the collection, not a view of the property")
  func oldOfCounted() throws {
    var olds: [Any?] = []
    let token = try tray.observe("cups") { olds.append($0.old) }
    try tray.mutableArray(forKey: "cups").set(["x"])
    #expect(olds.first as? [String] == ["a", "b"] && tray.cups == ["x"])
    token.cancel()
  }
}
