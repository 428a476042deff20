import KVControllers
import KVCore
import TestModels
import Testing

/// Getters that change the controller that reads them.
@Suite struct EndlessGetterTests {
  @Test("CTR.7: a getter that assigns the content each time that it is read does not end the process", arguments: 0..<2)
  func endless(kind: Int) throws {
    let list = KVArrayController<Assigning>()
    let predicate = try KVPredicate(format: "rank > 0")
    let events = capturingEvents {
      if kind == 0 {
        list.sortDescriptors = [KVSortDescriptor("rank")]
      } else {
        list.filterPredicate = predicate
      }
      let element = Assigning()
      element.list = list
      list.content = [element]
    }
    let messages = events.about(list).map(\.message)
    #expect(messages.count == 1 && events.about(list).allSatisfy { $0.topic == .endlessChange })
    #expect(
      messages.first?.contains(
        "a getter of an element changes KVArrayController<Assigning> each time that it is read to arrange the elements")
        == true
    )
    #expect(list.content.count == 1)
    list.content = []
    #expect(list.content.isEmpty)
  }

  @Test("CTR.7: an assignment deep on a stack is made, since no getter causes it")
  func deep() {
    @inline(never) func descend(_ levels: Int, _ body: () -> Void) {
      withUnsafeTemporaryAllocation(byteCount: 1_000, alignment: 1) { _ in
        levels > 0 && StackSpace.hasRoom() ? descend(levels - 1, body) : body()
      }
    }
    let error = SmallStack.error(kilobytes: 512) {
      let list = KVArrayController<KVRecord>()
      descend(400) { list.content = [["a": 1]] }
      #expect(list.content.count == 1)
    }
    #expect(error == nil)
  }
}

private final class Assigning: KVObject {
  weak var list: KVArrayController<Assigning>?
  var rank: Int {
    let next = Assigning()
    next.list = list
    list?.content = [next]
    return 1
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Assigning.self) { key in key("rank", \.rank) }
  }
}
