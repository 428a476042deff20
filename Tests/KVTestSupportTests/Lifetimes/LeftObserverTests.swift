import KVTestSupport
import Testing

@Suite("TST.2: observers of every kind that are left")
struct LeftObserverTests {
  private let till = Till()

  private func count(_ object: AnyObject) -> Int {
    KVFailureReporter.capturing { expectNoObserversLeft(on: object) }.count
  }

  @Test("TST.2: an observer through a path is listed at each object on it, an observer of elements at each of them")
  func paths() throws {
    let (next, other, trunk) = (Till(), Till(), Trunk())
    till.next = next
    var token: KVObservation? = try till.observe("next.number") { _ in }
    #expect(token != nil && count(till) == 1 && count(next) == 1)
    token = nil
    var binding: KVPathBinding? = try KVPathBinding(from: till, "next.number", to: other, "number")
    #expect(binding != nil && count(till) == 1 && count(other) == 1 && count(next) == 1)
    binding = nil
    #expect(count(till) == 0 && count(other) == 0 && count(next) == 0)
    token = try trunk.observeElements(of: "branches", "text") { _ in }
    #expect(token != nil && count(trunk.branches[0]) == 1)
    token = nil
    #expect(count(trunk) == 0 && count(trunk.branches[0]) == 0)
  }

  private final class Form: KVObject {
    @KVProperty var number = 5
    @KVProperty var text: String? = ""

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Form.self) { key in
        key("number", \.number).lenient()
        key("text", \.text)
      }
    }
  }

  @Test("TST.2, CO.5: a text field of a lenient key is consistent with it")
  func lenient() throws {
    let (model, field) = (Form(), Form())
    let binding = try field.bind("text", to: "number", of: model, options: .twoWay)
    expectConsistent(binding)
    field.text = "7"
    expectConsistent(binding)
    #expect(model.number == 7)
  }

  @Test("TST.2: a control and its binding are consistent, and so is a node of a tree")
  func controls() throws {
    let download = KVFixtures.Download()
    expectNoObserversLeft(on: download)
    let slider = KVFixtures.Slider()
    let binding = try slider.bind("value", to: "progress", of: download, options: .twoWay)
    expectConsistent(bindingsOf: slider)
    slider.drag(to: 0.25)
    #expect(download.progress == 0.25)
    expectConsistent(binding)
    slider.value = 0.75
    #expect(KVFailureReporter.capturing { expectConsistent(binding) }.count == 1)
    slider.letGo()
    let root = KVFixtures.Panel.sample()
    till.label = "8"
    root.dataObject = till
    try root.bindTo("dataObject.label", "text")
    expectConsistent(bindingsOf: root)
    till.label = "9"
    #expect(root.text == "9")
    expectConsistent(bindingsOf: root)
    root.text = "no"
    #expect(KVFailureReporter.capturing { expectConsistent(bindingsOf: root) }.count == 1)
  }
}
