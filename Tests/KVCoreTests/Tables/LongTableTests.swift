import Foundation
import KVCore
import Testing

/// With a check that takes the square of the number of keys, or a frame for each, these tests would take minutes or end.
@Suite("TAB.6: tables of tens of thousands of keys, on small stacks")
struct LongTableTests {
  static let length = 20_000

  /// A key that each other one depends on, the first one through all of them.
  private final class Chain: KVObject {
    var value = 1

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Chain.self) { key in
        for index in 0..<LongTableTests.length {
          key("k\(index)") { $0.value + index }.affected(by: "k\(index + 1)")
        }
        key("k\(LongTableTests.length)") { $0.value }
      }
    }
  }

  private final class Part: KVObject {
    var value = 1

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Part.self) { key in
        for index in 0..<LongTableTests.length { key("p\(index)") { $0.value + index } }
      }
    }
  }

  /// Keys that all depend on keys of one other table, and one that depends on all of them.
  private final class Fan: KVObject {
    var part = Part()
    var value = 1

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Fan.self) { key in
        key("part", \.part)
        for index in 0..<LongTableTests.length { key("f\(index)") { $0.value + index }.affected(by: "part.p\(index)") }
        var all = key("all") { $0.value }
        for index in 0..<LongTableTests.length { all = all.affected(by: "f\(index)") }
      }
    }
  }

  private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Test("TAB.6: a chain of dependent keys of any length is checked in linear time, without recursion")
  func chain() async {
    let found = await onSmallStack { try? Chain().value(forKey: "k7", as: Int.self) }
    #expect(found == 8)
    let isObservable = await onSmallStack { try? KVC.keys(of: Chain()).first { $0.name == "k0" }?.canNotify }
    #expect(isObservable == false)
  }

  @Test("TAB.6: paths into the table of another type are checked in time linear in both")
  func fan() async {
    let found = await onSmallStack { try? Fan().value(forKey: "f7", as: Int.self) }
    #expect(found == 8)
    let isObservable = await onSmallStack { try? KVC.keys(of: Fan()).first { $0.name == "all" }?.canNotify }
    #expect(isObservable == true)
  }
}
